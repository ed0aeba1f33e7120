/** What the log says of sign-ins: who came in and by what, and what was refused; no name, address or secret. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createTestApp, type Person, type TestApp } from '#server/testing/app.ts'

let app: TestApp
let ann: Person
let before = 0
beforeAll(async () => {
  app = await createTestApp({ LOG_LEVEL: 'info', RATE_LIMITS: 'on' })
  ann = await app.signUp('ann')
})
afterAll(() => app.close())
beforeEach(() => {
  before = app.logged.length
})

const login = (username: string, password: string) =>
  app.call('POST', '/identity/login', { json: { username, password } })

/** Lines of this test with this message, as objects. */
const told = (message: string) =>
  app.logged
    .slice(before)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === message)

it('a sign-in is told with its person and by what', async () => {
  expect((await login('ann', ann.password)).status).toBe(200)
  expect(told('somebody signed in')).toMatchObject([{ person: ann.session._id, by: 'password' }])
})

it('a refused one is told with the person that it was about, if there is one', async () => {
  await login('ann', 'not the password of ann')
  await login('my-secret-in-the-wrong-field', 'whatever it is')
  expect(told('a sign-in was refused')).toMatchObject([
    { person: ann.session._id, by: 'password' },
    { person: null, by: 'password' },
  ])
  const lines = app.logged.slice(before).join('\n')
  expect(lines).not.toMatch(/not the password|my-secret|whatever it is|"ann"|people\.example/)
})

it('that somebody has to wait after failures is told once for each try', async () => {
  for (let tries = 0; tries < 7; tries += 1) await login('ann', 'not the password of ann')
  const waits = told('after failed guesses somebody has to wait')
  expect(waits.length).toBeGreaterThan(0)
  expect(waits).toEqual(waits.map(() => expect.objectContaining({ of: 'account' })))
})
