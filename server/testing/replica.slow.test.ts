/** Reads that may be a second old use the replica; nobody reads older data than allowed. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import type { LessonPage } from '#contract/lessons.ts'
import type { OwnProfile, Profile } from '#contract/profiles.ts'
import { startTcpProxy, type TcpProxy } from '#signalr/testing/tcp-proxy.ts'
import { createTestApp, type Person, type TestApp } from '#server/testing/app.ts'
import {
  migrateLone,
  REPLICATED,
  startLonePostgres,
  startStandby,
  type LonePostgres,
} from '#server/testing/lone-postgres.ts'
import { startProduct } from '#server/testing/product.ts'
import { formOf } from '#server/testing/http/forms.ts'

const SECRET = 'replica-secret-replica-secret-replica'

const primary = await startLonePostgres(REPLICATED)
await migrateLone(primary)
const standby = await startStandby(primary)
await primary.ask(
  `insert into replica_beats (node, beat, beat_at)
   values ('ended long ago', 1, now() - interval '25 hours'), ('ended lately', 1, now() - interval '23 hours')`,
)
const proxy = await startTcpProxy(standby.port)
afterAll(async () => {
  await Promise.all([near.close(), far.close()])
  await proxy.close()
  await standby.remove()
  await primary.remove()
})

const portOf = ({ url }: TcpProxy) => Number(new URL(url).port)

function openNode(port: number, url?: string): Promise<TestApp> {
  const at = (connectionString: string) => ({ connectionString })
  const replica = standby.url.replace(/:\d+\//, `:${port}/`)
  const environment = {
    DATABASE_URL: primary.url,
    DATABASE_REPLICA_URL: replica,
    AUTH_SECRETS: SECRET,
  }
  const beside = {
    connection: at(primary.url),
    replica: at(replica),
    ...(url !== undefined && { url }),
  }
  return createTestApp(environment, null, beside)
}

const forgetMarks = () =>
  primary.ask(`update sessions set wrote_at = now() - interval '1 hour' where true`)
const pause = () => standby.ask('select pg_wal_replay_pause()')
const resume = () => standby.ask('select pg_wal_replay_resume()')

async function readiness(app: TestApp): Promise<string> {
  const answer = await fetch(`${app.url}/readyz`)
  return `${answer.status} ${await answer.text()}`
}

async function titles(app: TestApp, as?: Person): Promise<string[]> {
  const { status, body } = await app.call<LessonPage>('GET', '/lesson/browse?sort=none', { as })
  expect(status).toBe(200)
  return body.items.map(({ title }) => title)
}

/** Counts the connections whose last statement has this text. */
async function asked(server: LonePostgres, text: string): Promise<number> {
  const [row] = await server.ask<{ found: number }>(
    `select count(*)::int as found from pg_stat_activity where position('${text}' in query) > 0 and pid <> pg_backend_pid()`,
  )
  return row?.found ?? 0
}

const near = await openNode(portOf(proxy))
/** A second node on the same database that is not notified of the first one's changes. */
const far = await openNode(portOf(proxy), near.url)
const ann = await near.signUp('ann')
const bob = await near.signUp('bob')
// A new account reads from the primary at first. Forgetting the marks skips that time.
await forgetMarks()
await vi.waitFor(async () => expect(await readiness(far)).toBe('200 {"status":"ready"}'), 10_000)

test('suggestions, people and profiles are read from the replica; the primary records who saw an address', async () => {
  // A node that has just started reads from the primary until it has seen the replica's position.
  await vi.waitFor(async () => {
    expect((await far.call('GET', '/search/suggest?kind=lesson&q=knots')).status).toBe(200)
    expect(await asked(standby, 'with probe as')).toBe(1)
  })
  await far.call('GET', `/identity/userinformation/${bob.session._id}`, { as: ann })
  expect([
    await asked(standby, 'select u.id, u.username'),
    await asked(primary, 'select u.id, u.username'),
  ]).toEqual([1, 0])
  const profile = await far.call<Profile>('GET', `/identity/profile/${bob.session._id}`, {
    as: ann,
  })
  expect(profile.body.email).toBe(bob.session.email)
  expect([
    await asked(standby, 'as may_see_email'),
    await asked(primary, 'as may_see_email'),
  ]).toEqual([1, 0])
  expect([
    await asked(standby, 'insert into shown_emails'),
    await asked(primary, 'insert into shown_emails'),
  ]).toEqual([0, 1])
})

test('people see their own profile edit although the replica is behind', async () => {
  await forgetMarks()
  await pause()
  const form = formOf({ hideEmail: 'true' })
  const edited = await near.call('PATCH', '/identity/update', { as: bob, form })
  expect(edited.status).toBe(200)
  const own = await far.call<OwnProfile>('GET', `/identity/profile/${bob.session._id}`, { as: bob })
  expect(own.body.hideEmail).toBe(true)
  await resume()
})

test('people see their own writes on every node although the replica is behind', async () => {
  await forgetMarks()
  await pause()
  await near.publishLesson(ann, { title: 'Written just now' })
  expect(await titles(far, ann)).toContain('Written just now')
  // Bob wrote nothing and reads older data, which shows that the mark decides.
  expect(await titles(far, bob)).not.toContain('Written just now')
  await resume()
  await expect.poll(() => titles(far, bob), { timeout: 3000 }).toContain('Written just now')
})

test('a node that knows of a change shows it to guests immediately, and caches nothing older', async () => {
  await titles(near)
  await pause()
  await near.publishLesson(ann, { title: 'Known here' })
  expect(await titles(near)).toContain('Known here')
  expect(await titles(near)).toContain('Known here')
  await resume()
})

test('a replica more than five seconds behind is not used, and /readyz says so', async () => {
  await forgetMarks()
  await pause()
  await near.publishLesson(ann, { title: 'Behind' })
  expect(await titles(far, bob)).not.toContain('Behind')
  await sleep(6000)
  expect(await titles(far, bob)).toContain('Behind')
  expect(await readiness(far)).toMatch(
    /^200 .*"degraded":"replica".*DATABASE_REPLICA_URL is more than 5 seconds behind/,
  )
  await resume()
  await expect.poll(() => readiness(far), { timeout: 3000 }).toBe('200 {"status":"ready"}')
}, 20_000)

test('beats of a process that ended a day ago go when another begins', async () => {
  const ended = await primary.ask(`select node from replica_beats where node like 'ended%'`)
  expect(ended).toEqual([{ node: 'ended lately' }])
})

test('without the replica everything is read from the primary: stopped, silent, and back', async () => {
  await forgetMarks()
  proxy.block()
  proxy.cut()
  for (let turn = 0; turn < 5; turn += 1) expect(await titles(far, bob)).not.toEqual([])
  await expect
    .poll(() => readiness(far), { timeout: 3000 })
    .toMatch(/^200 .*"degraded":"replica".*DATABASE_REPLICA_URL can't be reached/)
  proxy.restore()
  await expect.poll(() => readiness(far), { timeout: 5000 }).toBe('200 {"status":"ready"}')
  await far.call('GET', '/search/suggest?kind=course&q=knots')
  expect(await asked(standby, 'with probe as')).toBeGreaterThan(0)
  proxy.swallow()
  const began = performance.now()
  expect(await titles(far, bob)).not.toEqual([])
  expect(performance.now() - began).toBeLessThan(5000)
  await sleep(3000)
  const later = performance.now()
  expect(await titles(far, bob)).not.toEqual([])
  expect(performance.now() - later).toBeLessThan(1000)
  proxy.cut()
  proxy.restore()
  await expect.poll(() => readiness(far), { timeout: 8000 }).toBe('200 {"status":"ready"}')
}, 40_000)

test('a replica with an older schema is not used, and says so', async () => {
  await pause()
  await primary.ask(`insert into migrations (name, sha256) values ('9999_later.sql', '')`)
  await expect
    .poll(() => readiness(far), { timeout: 3000 })
    .toMatch(/DATABASE_REPLICA_URL has an older schema/)
  expect(await titles(far, bob)).not.toEqual([])
  await primary.ask(`delete from migrations where name = '9999_later.sql'`)
  await resume()
  await expect.poll(() => readiness(far), { timeout: 3000 }).toBe('200 {"status":"ready"}')
})

test('the start reports the primary as its own replica, and refuses another database', async () => {
  const environment = { DATABASE_URL: primary.url, AUTH_SECRETS: SECRET }
  const start = (DATABASE_REPLICA_URL: string) =>
    startProduct({ ...environment, DATABASE_REPLICA_URL }, { file: 'server/worker.ts' })
  const worker = await start(primary.url)
  expect(worker.said.join('\n')).toMatch(
    /DATABASE_REPLICA_URL leads to a server that follows no other/,
  )
  await worker.stop()
  const other = await startLonePostgres()
  await expect(start(other.url)).rejects.toThrow(
    /DATABASE_REPLICA_URL leads to another database cluster/,
  )
  await other.remove()
  const away = await start('postgres://bazaar@127.0.0.1:9/bazaar')
  expect(away.said.join('\n')).toMatch(/DATABASE_REPLICA_URL can't be reached/)
  await away.stop()
}, 40_000)
