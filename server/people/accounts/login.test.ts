import { describe, expect, it } from 'vitest'
import type { Session } from '#contract/accounts.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { openTestApp } from '#server/testing/setup.ts'

type Problem = { title: string; status: number; errors?: Record<string, string[]> }

describe('signing in', async () => {
  const app = await openTestApp()
  const elena = await app.signUp('Elena')
  const login = (json: unknown) => app.call<Session & Problem>('POST', '/identity/login', { json })

  it('refuses empty fields at the fields', async () => {
    const { status, body } = await login({ username: ' ', password: '' })
    expect(status).toBe(400)
    expect(Object.keys(body.errors ?? {})).toEqual(['username', 'password'])
  })

  it('answers an unknown name like a wrong password', async () => {
    const wrong = await login({ username: 'Elena', password: 'not hers' })
    const unknown = await login({ username: 'Nobody', password: 'not hers' })
    expect(wrong.status).toBe(401)
    expect(unknown.status).toBe(401)
    expect(unknown.body).toEqual(wrong.body)
  })

  it('refuses a look-alike of a name', async () => {
    expect((await login({ username: 'EIena', password: elena.password })).status).toBe(401)
  })

  it.each(['elena', ' ELENA ', 'ｅlena'])('lets the owner in as "%s"', async (username) => {
    const { status, body } = await login({ username, password: elena.password })
    expect(status).toBe(200)
    expect(body._id).toBe(elena.session._id)
    expect(body.username).toBe('Elena')
  })

  it('handles fifty at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => login({ username: 'elena', password: elena.password })),
    )
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
  })
})

describe('guessing', async () => {
  const app = await openTestApp({ RATE_LIMITS: 'on' })
  const start = new Date('2026-11-21T12:00:00Z').getTime()
  const at = (seconds: number) => {
    app.clock.time = new Date(start + seconds * 1000)
  }
  at(0)
  const elena = await app.signUp('Elena')
  const login = (username: string, password: string) =>
    app.call('POST', '/identity/login', { json: { username, password } })

  it('is slowed down for an account from the fifth failure on', async () => {
    const first = await Promise.all(Array.from({ length: 20 }, () => login('elena', 'guess')))
    expect(first.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(first.filter(({ status }) => status === 429)).toHaveLength(15)
    const refused = await login('ELENA', elena.password)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    at(1)
    expect((await login('elena', 'guess')).status).toBe(401)
    expect((await login('elena', 'guess')).headers.get('retry-after')).toBe('2')
  })

  it('waits at most a minute, and then lets the owner in', async () => {
    // By then the failures of the address no longer count either.
    let seconds = 2000
    at(seconds)
    for (let failure = 0; failure < 5; failure += 1) await login('elena', 'guess')
    for (let failure = 0; failure < 8; failure += 1) {
      seconds += 60
      at(seconds)
      expect((await login('elena', 'guess')).status).toBe(401)
    }
    expect((await login('elena', elena.password)).headers.get('retry-after')).toBe('60')
    at(seconds + 60)
    expect((await login('elena', elena.password)).status).toBe(200)
    expect((await login('elena', 'guess')).status).toBe(401)
  })

  it('is slowed down for unknown names too', async () => {
    at(10_000)
    for (let failure = 0; failure < 5; failure += 1) await login('nobody', 'guess')
    expect((await login('nobody', 'guess')).status).toBe(429)
  })

  it('is slowed down for an address that tries many names', async () => {
    at(20_000)
    const answers = []
    for (let name = 0; name < 31; name += 1) answers.push(await login(`name${name}`, 'guess'))
    expect(answers.slice(0, 30).every(({ status }) => status === 401)).toBe(true)
    expect(answers[30]?.status).toBe(429)
  })

  it('lets a free attempt in although a node with a fast clock wrote the previous one', async () => {
    at(30_010)
    expect((await login('ahead', 'guess')).status).toBe(401)
    at(30_000)
    expect((await login('ahead', 'guess')).status).toBe(401)
    expect((await login('beside', 'guess')).status).toBe(401)
  })

  it.each([
    ['POST', '/identity/erase'],
    ['PATCH', '/identity/update'],
  ])('is slowed down at %s %s too', async (method, path) => {
    at(40_000)
    const as = await app.signUp(`guessed${method}`)
    const form = formOf({ password: 'a guess' })
    const given = method === 'PATCH' ? { form } : { json: { password: 'a guess' } }
    const statuses: number[] = []
    for (let guess = 0; guess < 6; guess += 1)
      statuses.push((await app.call(method, path, { as, ...given })).status)
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
  })
})
