/** Tests security.txt, reports of browsers, and security headers. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { LOCALES } from '#contract/messages/messages.ts'
import { createTestApp, type TestApp } from '#server/testing/app.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'
import { openTestApp } from '#server/testing/setup.ts'

const HOUR_MS = 60 * 60 * 1000

const app = await openTestApp(
  { OWNER_EMAIL: 'owner+security@site.test', LOG_LEVEL: 'warn' },
  await loadSourceRenderer(),
)

describe('security.txt', () => {
  const read = async (of = app) => (await fetch(`${of.url}/.well-known/security.txt`)).text()
  const endOf = (text: string) => Date.parse(/^Expires: (.*)$/m.exec(text)?.[1] ?? '')

  test('names contact, languages and its own URL', async () => {
    const answer = await fetch(`${app.url}/.well-known/security.txt`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; charset=utf-8',
    ])
    expect((await answer.text()).replace(/Expires: .*/, 'Expires:')).toBe(
      [
        'Contact: mailto:owner+security@site.test',
        `Contact: ${app.url}/report`,
        'Expires:',
        `Preferred-Languages: ${LOCALES.join(', ')}`,
        `Canonical: ${app.url}/.well-known/security.txt`,
        '',
      ].join('\n'),
    )
  })
  test('never expires: its end is between five months and a year ahead, in any month', async () => {
    for (const now of ['2026-01-31T23:59:59Z', '2026-07-01T00:00:00Z', '2027-12-31T12:00:00Z']) {
      app.clock.time = new Date(now)
      const days = (endOf(await read()) - app.clock.time.getTime()) / (24 * HOUR_MS)
      expect(days).toBeGreaterThan(150)
      expect(days).toBeLessThan(365)
    }
    app.clock.time = null
  })
  test('names only the report page while OWNER_EMAIL is a placeholder', async () => {
    const other = await createTestApp({}, await loadSourceRenderer())
    expect((await read(other)).match(/^Contact: .*$/gm)).toEqual([`Contact: ${other.url}/report`])
    await other.close()
  })
})

describe('reports of browsers', () => {
  let hours = 0
  beforeEach(() => {
    hours += 1
    app.clock.time = new Date(Date.UTC(2026, 10, 23) + hours * HOUR_MS)
  })
  afterAll(() => {
    app.clock.time = null
  })
  const send = (body: unknown, type = 'application/csp-report', of = app) =>
    fetch(`${of.url}/policy-reports`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const report = (change: Record<string, string> = {}) => ({
    'csp-report': {
      'document-uri': `${app.url}/lesson/details/7?token=secretOne`,
      referrer: `${app.url}/password/reset?token=secretTwo`,
      'effective-directive': 'script-src-elem',
      'blocked-uri': 'https://evil.example/x.js?key=secretThree',
      'script-sample': 'let secretFour',
      'original-policy': 'secretFive',
      ...change,
    },
  })
  const linesSince = (count: number) =>
    app.logged.slice(count).map((line) => JSON.parse(line) as Record<string, unknown>)

  test('are refused when they are invalid, of another type or too long', async () => {
    const before = app.logged.length
    expect((await send('nonsense')).status).toBe(400)
    expect((await send([])).status).toBe(204)
    expect((await send({ 'csp-report': { 'document-uri': 5 } })).status).toBe(400)
    expect((await send(report(), 'application/json')).status).toBe(415)
    expect((await send(report({ padding: 'x'.repeat(20_000) }))).status).toBe(413)
    const many = Array.from({ length: 21 }, () => ({ type: 'csp-violation', body: {} }))
    expect((await send(many, 'application/reports+json')).status).toBe(400)
    expect(app.logged).toHaveLength(before)
  })
  test('are one line an hour each, without queries, samples and other texts', async () => {
    const before = app.logged.length
    for (let times = 0; times < 3; times += 1) expect((await send(report())).status).toBe(204)
    expect(linesSince(before)).toMatchObject([
      {
        directive: 'script-src-elem',
        blocked: 'https://evil.example',
        page: '/lesson/details/7',
        enforced: true,
        msg: 'a browser reports a violation of the content policy',
      },
    ])
    app.clock.time = new Date((app.clock.time?.getTime() ?? 0) + HOUR_MS)
    hours += 1
    await send(report())
    expect(linesSince(before)).toHaveLength(2)
    expect(app.logged.slice(before).join('')).not.toContain('secret')
  })
  test('are read in the newer format too, and other reports are skipped', async () => {
    const before = app.logged.length
    const body = {
      documentURL: `${app.url}/course/all?search=secret`,
      effectiveDirective: 'style-src-attr',
      blockedURL: 'inline',
      disposition: 'report',
      sample: 'secret',
    }
    const reports = [{ type: 'csp-violation', body }, { type: 'deprecation' }]
    expect((await send(reports, 'application/reports+json')).status).toBe(204)
    const lines = linesSince(before)
    expect(lines).toMatchObject([
      { directive: 'style-src-attr', blocked: 'inline', page: '/course/all', enforced: false },
    ])
    expect(JSON.stringify(lines)).not.toContain('secret')
  })
  test('put nothing of a forger’s choice into the log but short words', async () => {
    const before = app.logged.length
    await send(
      report({
        'document-uri': 'javascript:alert(1)//\nforged line',
        'effective-directive': '<script>\u001B[31m',
        'blocked-uri': 'data:text/html,secret',
      }),
    )
    expect(linesSince(before)).toMatchObject([
      { directive: 'unknown', blocked: 'data:', page: 'unknown' },
    ])
  })
  test('are limited by network and in log lines', async () => {
    const other = await createTestApp(
      { LOG_LEVEL: 'warn', TRUST_PROXY: '1' },
      await loadSourceRenderer(),
    )
    other.clock.time = app.clock.time
    const statuses: number[] = []
    for (let place = 0; place < 60; place += 1)
      statuses.push((await send(report(), undefined, other)).status)
    expect(statuses).toContain(429)
    for (let place = 0; place < 120; place += 1)
      await fetch(`${other.url}/policy-reports`, {
        method: 'POST',
        headers: {
          'content-type': 'application/csp-report',
          'x-forwarded-for': `10.0.${place}.1`,
        },
        body: JSON.stringify(report({ 'blocked-uri': `https://evil${place}.example/` })),
      })
    expect(other.logged).toHaveLength(101)
    expect(other.logged.at(-1)).toContain('not written this hour')
    await other.close()
  })
  test('of one network leave log lines for others', async () => {
    const other = await createTestApp(
      { LOG_LEVEL: 'warn', TRUST_PROXY: '1', RATE_LIMITS: 'on' },
      await loadSourceRenderer(),
    )
    const reportFrom = (address: string, place: number) =>
      fetch(`${other.url}/policy-reports`, {
        method: 'POST',
        headers: { 'content-type': 'application/reports+json', 'x-forwarded-for': address },
        body: JSON.stringify(
          Array.from({ length: 5 }, (_, each) => ({
            type: 'csp-violation',
            body: {
              blockedURL: `https://evil${place}-${each}.example/`,
              effectiveDirective: 'img-src',
            },
          })),
        ),
      })
    for (let place = 0; place < 10; place += 1)
      expect((await reportFrom(`2001:db8::${place}`, place)).status).toBe(204)
    expect(other.logged).toHaveLength(20)
    await reportFrom('192.0.2.1:443', 10)
    expect(other.logged).toHaveLength(25)
    await other.close()
  })
  test('are requested by every page, in both formats', async () => {
    const { headers } = await fetch(`${app.url}/`)
    expect(headers.get('content-security-policy')).toContain(
      'report-uri /policy-reports; report-to policy',
    )
    expect(headers.get('reporting-endpoints')).toBe('policy="/policy-reports"')
  })
})

const url = 'https://bazaar.test'
const { connection } = app
const safe = await openTestApp({ PUBLIC_URL: url }, await loadSourceRenderer(), { connection, url })

describe('headers', () => {
  const ADDRESSES = [
    '/',
    '/no/such/page',
    '/api/lesson/all',
    '/api/liked',
    '/api/no/such/call',
    '/files/resources/x/y',
    '/art/cover/seed.svg',
    '/robots.txt',
    '/.well-known/security.txt',
    '/sitemap.xml',
    '/healthz',
  ]
  const headersOf = async (of: TestApp, path: string) => (await fetch(of.url + path)).headers

  test('behind https every answer demands it, and a policy lets nothing in by objects or bases', async () => {
    for (const path of ADDRESSES) {
      const headers = await headersOf(safe, path)
      const policy = headers.get('content-security-policy')?.split(/;\s*/)
      const demanded = headers.get('strict-transport-security')?.toLowerCase()
      expect([path, demanded]).toEqual([path, 'max-age=63072000; includesubdomains'])
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
      const needed = ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]
      expect([path, policy]).toEqual([path, expect.arrayContaining(needed)])
    }
    expect((await headersOf(app, '/api/lesson/all')).get('strict-transport-security')).toBeNull()
  })
  test('behind https the cookie of the language is bound to this host', async () => {
    const cookieOf = async (of: TestApp) => (await headersOf(of, '/?lang=bg')).getSetCookie()
    const rest = 'Path=/; Max-Age=31536000; SameSite=Lax'
    expect(await cookieOf(safe)).toEqual([`__Host-lang=bg; ${rest}; Secure`])
    expect(await cookieOf(app)).toEqual([`lang=bg; ${rest}`])
    for (const cookie of ['__Host-lang=bg; lang=en', 'lang=bg']) {
      const page = await fetch(`${safe.url}/about`, { headers: { cookie } })
      expect(await page.text()).toContain('<html lang="bg"')
    }
  })
})
