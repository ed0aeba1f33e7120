import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '#server/platform/db/settings.ts'
import { startTcpProxy, type TcpProxy } from '#signalr/testing/tcp-proxy.ts'
import { createTestApp } from '#server/testing/app.ts'
import {
  migrateLone,
  REPLICATED,
  startLonePostgres,
  startStandby,
  type LonePostgres,
} from '#server/testing/lone-postgres.ts'

const first = await startLonePostgres(REPLICATED)
await migrateLone(first)
const second = await startStandby(first)
await first.ask("alter system set synchronous_standby_names = 'standby'")
await first.ask('select pg_reload_conf()')
let target = () => first.port
const proxy = await startTcpProxy(() => target())
afterAll(async () => {
  await app.close()
  await proxy.close()
  await second.remove()
  await first.remove()
})

async function readiness(): Promise<string> {
  const answer = await fetch(`${app.url}/readyz`)
  return `${answer.status} ${await answer.text()}`
}

const portOf = ({ url }: TcpProxy) => new URL(url).port

const connection = { connectionString: first.url.replace(/:\d+\//, `:${portOf(proxy)}/`) }
const app = await createTestApp({ JOBS: 'here' }, null, { connection })
const ann = await app.signUp('ann')

test('a start with a DATABASE_URL of a standby fails with a message', async () => {
  const opening = openDatabase(
    {
      DATABASE_URL: second.url,
      DATABASE_DIRECT_URL: undefined,
      DATABASE_REPLICA_URL: undefined,
      DATABASE_PREPARE: '1',
      DATA_DIR: '',
    },
    () => undefined,
  )
  await expect(opening).rejects.toThrow(/^DATABASE_URL leads to .* takes no writes/)
})

test('while DATABASE_URL leads to a standby, /readyz says so, and connections to it are closed', async () => {
  target = () => second.port
  proxy.cut()
  const away = await readiness()
  expect(away).toMatch(/^503 .*"unavailable":"database".*DATABASE_URL leads to .* standby/)
  target = () => first.port
  await expect.poll(readiness).toMatch(/^200 /)
})

test('connections to a read-only server are replaced by ones to the new primary', async () => {
  const write = () => app.call('POST', '/message/create', { as: ann, json: note() })
  const bob = await app.signUp('bob')
  const note = () => ({ text: 'a word', receiverUsername: bob.session.username })
  // Opens many connections that are idle during the failover.
  await Promise.all(Array.from({ length: 8 }, write))
  const acknowledged = await messageIds(first)
  await second.ask('select pg_promote()')
  // The old primary keeps running and keeps its connections, but is read-only, as after a demotion.
  await first.ask("alter system set synchronous_standby_names = ''")
  await first.ask('alter system set default_transaction_read_only = on')
  await first.ask('select pg_reload_conf()')
  await expect
    .poll(() => first.ask('show default_transaction_read_only'))
    .toEqual([{ default_transaction_read_only: 'on' }])
  target = () => second.port
  const refused = await write()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  expect(refused.body).toMatchObject({ type: 'urn:knowledge-bazaar:unavailable' })
  const answers = await Promise.all(Array.from({ length: 8 }, write))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(await messageIds(second)).toEqual(expect.arrayContaining(acknowledged))
  expect(await readiness()).toMatch(/^200 /)
})

async function messageIds(server: LonePostgres): Promise<number[]> {
  const rows = await server.ask<{ id: number }>('select id from messages order by id')
  return rows.map(({ id }) => id)
}
