import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { startTcpProxy } from '#signalr/testing/tcp-proxy.ts'
import { createTestApp } from '#server/testing/app.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'
import { findTestPort } from '#server/testing/port.ts'
import { closeAtEnd, openTestApp } from '#server/testing/setup.ts'
import { buildConnection } from '#server/testing/http/hub.ts'

const direct = await createTestDatabase()
const proxy = closeAtEnd(
  await startTcpProxy(`${String(direct.host)}/.s.PGSQL.${String(direct.port)}`),
)
const port = Number(new URL(proxy.url).port)
const connection = { ...direct, host: '127.0.0.1', port }
const app = await openTestApp({ SMTP_URL: 'smtp://127.0.0.1:9' }, await loadSourceRenderer(), {
  connection,
})
const metricsPort = await findTestPort()
await app.app.listenMetrics(metricsPort, '127.0.0.1')
let address: string = `http://127.0.0.1:${metricsPort}/metrics`
const ann = await app.signUp('ann')
const lesson = (await app.publishLesson(ann)).id

/** `of` returns the value of a line such as `bazaar_jobs_waiting{name="sendMail"}`, or undefined if it is absent. */
async function read(): Promise<{ text: string; of: (line: string) => number | undefined }> {
  const text = await (await fetch(address)).text()
  return {
    text,
    of: (line) => {
      const found = text.split('\n').find((each) => each.startsWith(`${line} `))
      return found === undefined ? undefined : Number(found.slice(line.length + 1))
    },
  }
}

test('nothing but /metrics is served there, and a lag that nobody measures is not claimed to be zero', async () => {
  expect((await fetch(address.replace('/metrics', '/'))).status).toBe(404)
  const { of, text } = await read()
  expect([of('bazaar_bus_lag_seconds'), of('bazaar_db_replica_lag_seconds')]).toEqual([
    undefined,
    undefined,
  ])
  expect(text).not.toContain('NaN')
})

test('no label contains an id, a name, an address or a search term', async () => {
  await fetch(`${app.url}/lesson/details/${lesson}`)
  await fetch(`${app.url}/lesson/all?search=heartbreak`)
  await fetch(`${app.url}/no/such/page/${ann.session._id}`)
  await app.call('GET', `/lesson/${lesson}`, { as: ann })
  await app.call('GET', `/identity/profile/${ann.session._id}`, { as: ann })
  const { text } = await read()
  for (const word of ['heartbreak', 'ann"', ann.session._id, '127.0.0.1', `/${lesson}`])
    expect(text).not.toContain(word)
})

test('requests are counted by route pattern and class of status', async () => {
  const line = (of: string) =>
    `bazaar_http_request_seconds_count{method="GET",route="/api/lesson/:id",class="${of}"}`
  const before = await read()
  await app.call('GET', '/lesson/999999')
  await app.call('GET', `/lesson/${lesson}`, { as: ann })
  const after = await read()
  expect([after.of(line('4xx')), after.of(line('2xx'))]).toEqual([
    (before.of(line('4xx')) ?? 0) + 1,
    (before.of(line('2xx')) ?? 0) + 1,
  ])
})

test('pages from the cache are counted by page, hits and misses', async () => {
  for (let time = 0; time < 3; time += 1) await (await fetch(`${app.url}/about`)).text()
  const { of } = await read()
  expect(of('bazaar_page_cache_requests_total{page="/about",result="miss"}')).toBe(1)
  expect(of('bazaar_page_cache_requests_total{page="/about",result="hit"}')).toBe(2)
})

test('pools show connections in use and waiting callers', async () => {
  const { db } = app.app.database
  const size = (await read()).of('bazaar_db_pool_size{pool="requests"}') ?? 0
  expect(size).toBeGreaterThan(0)
  const asleep = Array.from({ length: size + 2 }, () => sql`select pg_sleep(1)`.execute(db))
  await expect
    .poll(async () => {
      const { of } = await read()
      return [
        of('bazaar_db_pool_in_use{pool="requests"}'),
        of('bazaar_db_pool_waiting{pool="requests"}'),
      ]
    })
    .toEqual([size, 2])
  await Promise.all(asleep)
  const { of } = await read()
  expect([
    of('bazaar_db_pool_in_use{pool="requests"}'),
    of('bazaar_db_pool_waiting{pool="requests"}'),
  ]).toEqual([0, 0])
})

test('a slow statement is counted by name, and a failed one by kind', async () => {
  const { db } = app.app.database
  await sql`select pg_sleep(${0.35}), 'slow'`.execute(db)
  await expect(sql`select 1 / ${0}::int`.execute(db)).rejects.toThrow()
  await expect(sql`insert into users default values`.execute(db)).rejects.toThrow()
  const { text, of } = await read()
  expect(text).toMatch(/bazaar_db_slow_statements_total\{statement="[\w-]{20}"\} [1-9]/)
  expect(of('bazaar_db_errors_total{pool="requests",kind="constraint"}')).toBe(1)
  expect(of('bazaar_db_errors_total{pool="requests",kind="other"}')).toBe(1)
  expect(of('bazaar_db_statement_seconds_count{pool="requests"}')).toBeGreaterThan(10)
})

test('the hub shows its connections and counts its messages', async () => {
  const connection = buildConnection(app, ann.session.accessToken)
  await connection.start()
  await connection.invoke('Subscribe', 'ann')
  const { of } = await read()
  expect(of('bazaar_hub_connections')).toBe(1)
  expect(of('bazaar_hub_messages_total{direction="in"}')).toBe(1)
  expect(of('bazaar_hub_messages_total{direction="out"}')).toBe(1)
  await connection.stop()
  await expect.poll(async () => (await read()).of('bazaar_hub_connections')).toBe(0)
})

test('free space on the disks is shown', async () => {
  const { of } = await read()
  for (const disk of ['data', 'files']) {
    const size = of(`bazaar_disk_size_bytes{disk="${disk}"}`) ?? 0
    expect(of(`bazaar_disk_free_bytes{disk="${disk}"}`)).toBeGreaterThan(0)
    expect(size).toBeGreaterThan(of(`bazaar_disk_free_bytes{disk="${disk}"}`) ?? size)
  }
})

test('waiting jobs and mails are counted with the age of the oldest', async () => {
  // Counts are cached for ten seconds.
  const other = await createTestApp({ SMTP_URL: 'smtp://127.0.0.1:9' }, null, app)
  onTestFinished(() => other.close())
  const port = await findTestPort()
  await other.app.listenMetrics(port, '127.0.0.1')
  const { db } = app.app.database
  await sql`update graphile_worker._private_jobs set run_at = now() - interval '90 s'`.execute(db)
  await sql`update mails set send_after = now() - interval '70 s'`.execute(db)
  address = `http://127.0.0.1:${port}/metrics`
  const { of } = await read()
  expect(of('bazaar_jobs_waiting{name="sendMail"}')).toBe(1)
  expect(of('bazaar_jobs_failed{name="sendMail"}')).toBe(0)
  expect(of('bazaar_jobs_oldest_waiting_seconds')).toBeGreaterThanOrEqual(90)
  expect(of('bazaar_mails{state="waiting"}')).toBe(1)
  expect(of('bazaar_mails{state="failed"}')).toBe(0)
  expect(of('bazaar_mails_oldest_waiting_seconds')).toBeGreaterThanOrEqual(70)
})

test('without the database other metrics are served in time, and counts of rows are not shown', async () => {
  const other = await createTestApp({}, null, app)
  const port = await findTestPort()
  await other.app.listenMetrics(port, '127.0.0.1')
  address = `http://127.0.0.1:${port}/metrics`
  proxy.block()
  proxy.cut()
  const beganAt = performance.now()
  const { of } = await read()
  expect(performance.now() - beganAt).toBeLessThan(3500)
  expect(of('bazaar_hub_connections')).toBe(0)
  expect(of('bazaar_jobs_oldest_waiting_seconds')).toBeUndefined()
  expect(of('bazaar_mails{state="waiting"}')).toBeUndefined()
  proxy.restore()
  await other.close()
})
