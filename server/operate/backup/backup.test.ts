/** Tests a small backup and its restore. backup.slow.test.ts covers failures and concurrent use. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isDue } from '#server/operate/backup/daily.ts'
import { ask, command } from '#server/testing/backup/commands.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { liveThrough } from '#server/testing/lived-in.ts'
import { makeTestFolder } from '#server/testing/folder.ts'
import { openTestApp } from '#server/testing/setup.ts'

const folder = await makeTestFolder()
const app = await openTestApp()
await liveThrough(app)

test('a restore has the same rows, sequences and waiting jobs', async () => {
  // Messages that were created over HTTP are delivered, and marked, some seconds later.
  const waiting = () => ask(app.connection, 'select id from messages where delivered_at is null')
  await expect.poll(waiting).toEqual([])
  const file = join(folder, 'still.tar')
  await app.app.database.pool.query(
    `select graphile_worker.add_job('sendMail', '{"mailId": 1}', run_at := now() + interval '1 day', job_key := 'one')`,
  )
  expect(await command('backup', app, [file])).toMatchObject({ code: 0 })
  const to = { connection: await createTestDatabase(), dataDir: join(folder, 'data') }
  expect(await command('restore', to, [file])).toMatchObject({ code: 0 })
  const tables = await ask(
    app.connection,
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
       and relname not in ('migrations', 'nodes', 'backup_runs', 'replica_beats')`,
  )
  expect(tables.length).toBeGreaterThan(30)
  for (const { name } of tables) {
    const rows = `select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum, count(*)::int as count from ${String(name)} t`
    expect([name, await ask(to.connection, rows)]).toEqual([name, await ask(app.connection, rows)])
  }
  const sequences = `select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1`
  expect(await ask(to.connection, sequences)).toEqual(await ask(app.connection, sequences))
  const jobs = `select key from graphile_worker.jobs where key = 'one'`
  expect(await ask(to.connection, jobs)).toEqual([{ key: 'one' }])
  const definitions = `select array_agg(indexdef order by indexdef) as indexes, (
      select array_agg(conname || pg_get_constraintdef(oid) order by conname) from pg_constraint
      where connamespace = 'public'::regnamespace
    ) as constraints from pg_indexes where schemaname = 'public'`
  expect(await ask(to.connection, definitions)).toEqual(await ask(app.connection, definitions))
})

test("the daily backup is due once a day from one o'clock UTC, and an hour after a failure", () => {
  const at = (text: string) => new Date(`2026-02-${text}:00Z`)
  const none = { dailyMadeAt: null, dailyTriedAt: null, isBeingMade: false }
  expect(isDue(none, at('03T15:00'))).toBe(true)
  expect(isDue({ ...none, isBeingMade: true }, at('03T15:00'))).toBe(false)
  const made = { ...none, dailyMadeAt: at('03T15:00'), dailyTriedAt: at('03T15:00') }
  expect(isDue(made, at('03T23:59'))).toBe(false)
  expect(isDue(made, at('04T00:59'))).toBe(false)
  expect(isDue(made, at('04T01:00'))).toBe(true)
  const failed = { ...made, dailyTriedAt: at('04T01:00') }
  expect(isDue(failed, at('04T01:59'))).toBe(false)
  expect(isDue(failed, at('04T02:00'))).toBe(true)
})
