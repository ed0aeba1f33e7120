/** Tests that the log of sign-ins has ids and reasons, and no name, address or secret. */
import { beforeEach, expect, it } from 'vitest'
import { loggedBy } from '#server/testing/privacy/log-lines.ts'
import { openTestApp } from '#server/testing/setup.ts'

let before = 0
const app = await openTestApp({ LOG_LEVEL: 'info', RATE_LIMITS: 'on' })
const ann = await app.signUp('ann')
beforeEach(() => {
  before = app.logged.length
})

const login = (username: string, password: string) =>
  app.call('POST', '/identity/login', { json: { username, password } })

const linesOf = (message: string) => loggedBy(app, message, before)

it('a sign-in is told with its person and by what', async () => {
  expect((await login('ann', ann.password)).status).toBe(200)
  expect(linesOf('somebody signed in')).toMatchObject([{ person: ann.session._id, by: 'password' }])
})

it('a refused sign-in is logged with the person it was about, if there is one', async () => {
  await login('ann', 'not the password of ann')
  await login('my-secret-in-the-wrong-field', 'whatever it is')
  expect(linesOf('a sign-in was refused')).toMatchObject([
    { person: ann.session._id, by: 'password' },
    { person: null, by: 'password' },
  ])
  const lines = app.logged.slice(before).join('\n')
  expect(lines).not.toMatch(/not the password|my-secret|whatever it is|"ann"|people\.example/)
})

it('that somebody has to wait after failures is told once for each try', async () => {
  for (let tries = 0; tries < 7; tries += 1) await login('ann', 'not the password of ann')
  const waits = linesOf('after failed guesses somebody has to wait')
  expect(waits.length).toBeGreaterThan(0)
  expect(waits).toEqual(waits.map(() => expect.objectContaining({ of: 'account' })))
})

it('the line of a request says who asked, and why it was refused', async () => {
  const backups = '/admin/backups?reason=nobody’s-business'
  expect((await app.call('GET', backups, { as: ann })).status).toBe(403)
  expect((await app.call('GET', '/identity/points')).status).toBe(401)
  expect((await app.call('GET', '/identity/points', { as: ann })).status).toBe(200)
  const lines = linesOf('request').map(({ status, person, refused }) => ({
    status,
    person,
    refused,
  }))
  expect(lines).toEqual([
    { status: 403, person: ann.session._id, refused: 'forbidden' },
    { status: 401, person: undefined, refused: 'unauthorized' },
    { status: 200, person: ann.session._id, refused: undefined },
  ])
  expect(app.logged.slice(before).join('\n')).not.toMatch(/nobody|business/)
})
