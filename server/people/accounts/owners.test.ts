/** Tests that an account which many addresses try to guess stays usable for its owner. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp } from '#server/testing/setup.ts'

describe('an owner whose account is guessed at endlessly', async () => {
  const app = await openTestApp({ RATE_LIMITS: 'on', TRUST_PROXY: '1' })
  // The clock stands still, so that no wait of a guesser ends during a test.
  app.clock.time = new Date('2026-11-21T12:00:00Z')
  const elena = await app.signUp('Elena')
  let guesses = 0
  let stopped = false
  let guessers: Promise<void>[]
  const from = (address: string, cookie = '') => ({ 'x-forwarded-for': address, cookie })
  const login = (password: string, headers: Record<string, string>) =>
    app.call('POST', '/identity/login', { json: { username: 'elena', password }, headers })
  const deviceOf = (headers: Headers) =>
    /kb-device=[\w.-]+/.exec(headers.getSetCookie().join('\n'))?.[0] ?? ''

  beforeAll(async () => {
    guessers = Array.from({ length: 20 }, async (_, place) => {
      while (!stopped) {
        const { status } = await login(`guess ${guesses}`, from(`203.0.113.${place}`))
        if (status === 401) guesses += 1
        else await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })
    // Each address has five free guesses.
    while (guesses < 20 * 5) await new Promise((resolve) => setTimeout(resolve, 50))
  }, 90_000)
  afterAll(async () => {
    stopped = true
    await Promise.all(guessers)
  })

  it('gets in at once from another address', async () => {
    for (let time = 0; time < 10; time += 1) {
      expect((await login(elena.password, from('198.51.100.1'))).status).toBe(200)
    }
  })

  it('gets in at once from the address of a guesser, on a device that signed in before', async () => {
    const { headers } = await login(elena.password, from('198.51.100.2'))
    const device = deviceOf(headers)
    expect(device).not.toBe('')
    expect((await login(elena.password, from('203.0.113.5'))).status).toBe(429)
    expect((await login(elena.password, from('203.0.113.5', device))).status).toBe(200)
  })

  it('changes the password without waiting, from the address of a guesser', async () => {
    const json = { password: elena.password, newPassword: `${elena.password} more` }
    const headers = from('203.0.113.6')
    const { status } = await app.call('POST', '/identity/password/change', {
      as: elena,
      json,
      headers,
    })
    expect(status).toBe(204)
    elena.password = json.newPassword
  })
})

describe('an allowance', async () => {
  const app = await openTestApp({ RATE_LIMITS: 'on', TRUST_PROXY: '1' })
  app.clock.time = new Date('2026-11-21T12:00:00Z')
  const elena = await app.signUp('Elena')
  const login = (username: string, password: string, address: string, cookie = '') =>
    app.call('POST', '/identity/login', {
      json: { username, password },
      headers: { 'x-forwarded-for': address, cookie },
    })
  const deviceOf = (headers: Headers) =>
    headers.getSetCookie().find((cookie) => cookie.startsWith('kb-device=')) ?? ''

  it('of a forged, foreign or unknown device does not count', async () => {
    const zoe = await app.signUp('Zoe')
    const foreign = deviceOf((await login('zoe', zoe.password, '192.0.2.9')).headers)
    const [cookie = ''] = foreign.split(';')
    const forged = `${cookie.slice(0, -3)}AAA`
    for (let guess = 0; guess < 5; guess += 1) await login('elena', 'guess', '192.0.2.10')
    for (const device of [cookie, forged, 'kb-device=', `kb-device=${'a'.repeat(5000)}`])
      expect((await login('elena', elena.password, '192.0.2.10', device)).status).toBe(429)
  })

  it('of a device ends like any other', async () => {
    const { headers } = await login('elena', elena.password, '192.0.2.11')
    const [device = ''] = deviceOf(headers).split(';')
    for (let guess = 0; guess < 5; guess += 1)
      expect((await login('elena', 'guess', '192.0.2.12', device)).status).toBe(401)
    expect((await login('elena', elena.password, '192.0.2.13', device)).status).toBe(429)
    expect((await login('elena', elena.password, '192.0.2.13')).status).toBe(200)
  })

  it('of an address includes attempts that are refused for one account', async () => {
    for (let guess = 0; guess < 40; guess += 1) await login('elena', 'guess', '192.0.2.14')
    expect((await login('zoe', 'guess', '192.0.2.14')).status).toBe(429)
  })

  it('of a device counts for everybody who signed in on it, and its cookie reveals nobody', async () => {
    const ids: string[] = []
    let cookie = ''
    for (const name of ['elena', 'zoe', 'elena']) {
      const password = `secret of ${name === 'zoe' ? 'Zoe' : 'Elena'} 1`
      const { headers } = await login(name, password, '192.0.2.15', cookie)
      const given = deviceOf(headers)
      expect(given).toMatch(/; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/)
      cookie = given.split(';')[0] ?? ''
      ids.push(cookie.split('.')[0] ?? '')
      expect(given).not.toContain(elena.session._id)
    }
    expect(new Set(ids).size).toBe(1)
    expect(cookie.split('.')).toHaveLength(3)
    for (const name of ['elena', 'zoe'])
      for (let guess = 0; guess < 5; guess += 1)
        expect((await login(name, 'guess', '192.0.2.14', cookie)).status).toBe(401)
  })

  it('of a device ends with the account', async () => {
    const kim = await app.signUp('Kim')
    const { headers } = await login('kim', kim.password, '192.0.2.16')
    const [cookie = ''] = deviceOf(headers).split(';')
    const erased = await app.call('POST', '/identity/erase', {
      as: kim,
      json: { password: kim.password },
      headers: { cookie },
    })
    expect(erased.status).toBe(204)
    expect(deviceOf(erased.headers)).toMatch(/^kb-device=; Path=\/; Max-Age=0/)
  })
})
