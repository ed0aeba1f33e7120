import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTcpProxy } from '#signalr/testing/tcp-proxy.ts'
import { lessonForm } from '#server/testing/app.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'
import { closeAtEnd, openTestApp } from '#server/testing/setup.ts'

const direct = await createTestDatabase()
const proxy = closeAtEnd(
  await startTcpProxy(`${String(direct.host)}/.s.PGSQL.${String(direct.port)}`),
)
const port = Number(new URL(proxy.url).port)
const connection = { ...direct, host: '127.0.0.1', port }
const app = await openTestApp({}, await loadSourceRenderer(), { connection })
const ann = await app.signUp('ann')
const lesson = (await app.publishLesson(ann)).id

function lose(): void {
  proxy.block()
  proxy.cut()
}

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${app.url}${path}`, { headers, redirect: 'manual' })

test('without the database a call returns 503 with Retry-After, in its format and language', async () => {
  lose()
  const json = await app.call('GET', '/lesson/all?page=1', {
    headers: { 'accept-language': 'bg' },
  })
  expect([json.status, json.headers.get('retry-after')]).toEqual([503, '5'])
  expect(json.headers.get('content-type')).toContain('application/problem+json')
  expect(json.body).toMatchObject({ status: 503, type: 'urn:knowledge-bazaar:unavailable' })
  const form = await app.call('POST', '/lesson/create', { as: ann, form: await lessonForm() })
  expect([form.status, form.headers.get('retry-after')]).toEqual([503, '5'])
  expect(form.body).toEqual([
    { code: 'unavailable', description: expect.stringMatching(/can’t answer/) },
  ])
  const write = await app.call('POST', `/comment/create/${lesson}`, {
    as: ann,
    json: { text: 'x' },
  })
  expect([write.status, write.headers.get('retry-after')]).toEqual([503, '5'])
  proxy.restore()
})

test('without the database pages are HTML with 503 and Retry-After, and not cached', async () => {
  lose()
  for (const [path, headers] of [
    [`/lesson/details/${lesson}`, {}],
    ['/', { cookie: ann.cookie }],
  ] as const) {
    const page = await get(path, headers)
    expect([path, page.status, page.headers.get('retry-after')]).toEqual([path, 503, '5'])
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(page.headers.get('cache-control')).toContain('no-store')
    expect(await page.text()).toContain('We can’t answer at the moment')
  }
  proxy.restore()
  expect((await get(`/lesson/details/${lesson}`)).status).toBe(200)
  expect((await get('/', { cookie: ann.cookie })).status).toBe(200)
})

test('what needs no database goes on without it, and what is missing is named', async () => {
  expect((await get('/lesson/all')).status).toBe(200)
  lose()
  // The page's cache entry is no longer fresh.
  app.clock.time = new Date(Date.now() + 60_000)
  for (const path of ['/lesson/all', '/healthz', '/art/cover/seed.svg', '/locales/bg.json'])
    expect([path, (await get(path)).status]).toEqual([path, 200])
  const ready = await get('/readyz')
  expect([ready.status, await ready.json()]).toMatchObject([503, { unavailable: 'database' }])
  app.clock.time = null
  proxy.restore()
})

test('while the database is away the hub lets nobody in, and says when to come again', async () => {
  lose()
  const asked = await fetch(`${app.url}/chatHub/negotiate?negotiateVersion=1`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ann.session.accessToken}` },
  })
  expect([asked.status, asked.headers.get('retry-after')]).toEqual([503, '5'])
  proxy.restore()
})

test('views recorded during the outage are counted once', async () => {
  const viewsOf = async () => {
    const { rows } = await sql<{ views: number }>`
      select views from lessons where id = ${lesson}`.execute(app.app.database.db)
    return rows[0]?.views ?? 0
  }
  await app.app.views.flush()
  const before = await viewsOf()
  const viewer = { viewer: null, address: '203.0.113.7', agent: 'a reader' }
  lose()
  app.app.views.count(lesson, viewer)
  await app.app.views.flush()
  app.app.views.count(lesson, viewer)
  proxy.restore()
  await app.app.views.flush()
  expect(await viewsOf()).toBe(before + 1)
  await app.app.views.flush()
  expect(await viewsOf()).toBe(before + 1)
})

test('a node recovers within three seconds after its database', async () => {
  lose()
  await Promise.all(Array.from({ length: 20 }, () => app.call('GET', '/lesson/all?page=1')))
  proxy.restore()
  const began = performance.now()
  await expect
    .poll(() => app.call('GET', '/lesson/all?page=1').then(({ status }) => status), {
      timeout: 3000,
    })
    .toBe(200)
  const all = await Promise.all(
    Array.from({ length: 20 }, () => app.call('GET', '/lesson/all?page=1')),
  )
  expect(all.filter(({ status }) => status !== 200)).toEqual([])
  expect(performance.now() - began).toBeLessThan(3000)
})

test('over a dead connection /readyz responds within a second, and names the cause', async () => {
  proxy.swallow()
  const began = performance.now()
  const ready = await get('/readyz')
  const body = await ready.json()
  expect(performance.now() - began).toBeLessThan(1500)
  expect([ready.status, body]).toMatchObject([
    503,
    { unavailable: 'database', says: { database: expect.stringContaining('DATABASE_URL') } },
  ])
  proxy.restore()
  proxy.cut()
  await expect.poll(() => get('/readyz').then(({ status }) => status), { timeout: 5000 }).toBe(200)
})
