/** Tests the daily backup: when it runs, where it goes, which archives stay, and what the administration shows. */
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { BackupRun } from '#contract/backup.ts'
import { backUpDaily } from '#server/operate/backup/daily.ts'
import { examineBackupRuns } from '#server/operate/doctor/backups.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { createTestApp, TEST_SECRET, type Person, type TestApp } from '#server/testing/app.ts'
import { addressOf, ask, command, refusalOf } from '#server/testing/backup/commands.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { findTestPort } from '#server/testing/port.ts'
import { loggedBy } from '#server/testing/privacy/log-lines.ts'
import { startS3 } from '#server/testing/s3/server.ts'
import { makeTestFolder } from '#server/testing/folder.ts'
import { closeAtEnd } from '#server/testing/setup.ts'

const folder = await makeTestFolder()
const s3 = closeAtEnd(await startS3())

interface Desk {
  readonly underWay: BackupRun | null
  readonly last: BackupRun | null
  readonly good: BackupRun | null
  readonly runs: readonly BackupRun[]
  readonly daily: boolean
}

/**
 * Starts a site whose daily backup runs in a process of its own, which finds the database by the environment, as
 * in a cluster.
 */
async function startSite(environment: Record<string, string>) {
  const connection = await createTestDatabase()
  const settings = {
    DATABASE_URL: addressOf(connection),
    AUTH_SECRETS: TEST_SECRET,
    ACCESS_TOKEN_MINUTES: '10080',
  }
  for (const [name, value] of Object.entries({ ...settings, ...environment }))
    vi.stubEnv(name, value)
  const app = await createTestApp({ ...settings, ...environment }, null, { connection })
  vi.stubEnv('DATA_DIR', app.dataDir)
  const ann = await app.signUp('ann')
  await setRole(app.app.database.db, 'ann', 'administrator')
  const minute = async () => {
    await ask(connection, `select 1 from graphile_worker.add_job('dailyBackup')`)
    await app.runJobs()
  }
  const desk = async (as: Person) => (await app.call<Desk>('GET', '/admin/backups', { as })).body
  return { app, ann, minute, desk, connection }
}

async function endSite(app: TestApp): Promise<void> {
  await app.close()
  vi.unstubAllEnvs()
}

test('without BACKUP_URL no backup is made, and the administration says so', async () => {
  const { app, ann, minute, desk } = await startSite({})
  onTestFinished(() => endSite(app))
  await minute()
  expect(await desk(ann)).toEqual({
    underWay: null,
    last: null,
    good: null,
    runs: [],
    daily: false,
  })
})

test('one backup is made a day, and old ones are removed by BACKUP_KEEP', async () => {
  const place = join(folder, 'daily')
  const { app, ann, minute, desk } = await startSite({
    BACKUP_URL: place,
    BACKUP_KEEP: '2d',
    LOG_LEVEL: 'info',
  })
  onTestFinished(() => endSite(app))
  await minute()
  const { last, daily } = await desk(ann)
  expect(daily).toBe(true)
  expect(last).toMatchObject({
    daily: true,
    place,
    error: null,
    name: expect.stringMatching(/\.tar$/),
  })
  expect(last?.bytes).toBeGreaterThan(10_000)
  const earlier = `insert into backup_runs (began_at, ended_at, daily, place, name, bytes)
    select now() - n * interval '1 hour', now(), false, 'x', 'run ' || n, 1 from generate_series(1, 30) n`
  await app.app.database.pool.query(earlier)
  const names = (await desk(ann)).runs.map(({ name }) => name)
  expect(names).toEqual([last?.name, ...Array.from({ length: 30 }, (_, n) => `run ${n + 1}`)])
  await app.app.database.pool.query('delete from backup_runs where not daily')
  await minute()
  expect(await readdir(place)).toEqual([last?.name])
  // It is logged once, with its time and size, as the administration shows them.
  const [line, ...others] = loggedBy(app, 'the daily backup was made')
  expect(others).toEqual([])
  expect(line).toMatchObject({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    place,
    name: last?.name,
    bytes: last?.bytes,
    seconds: expect.any(Number),
  })

  for (const day of ['01', '02', '03'])
    await writeFile(join(place, `knowledge-bazaar-202001${day}-010000.tar`), 'old')
  await writeFile(join(place, 'notes.txt'), 'mine')
  app.clock.time = new Date(Date.now() + 25 * 60 * 60 * 1000)
  // Archives are named by the second, and the machine's real clock hasn't moved by a day.
  await sleep(1000)
  await minute()
  const newest = (await desk(ann)).last
  expect(newest?.began).not.toBe(last?.began)
  const left = await readdir(place)
  expect(left).toContain('notes.txt')
  expect(left.filter((name) => name.includes('2020'))).toEqual([
    'knowledge-bazaar-20200103-010000.tar',
  ])
  expect(
    await command('backup', { dataDir: folder }, ['--verify', join(place, newest?.name ?? '')]),
  ).toMatchObject({ code: 0 })
}, 180_000)

test('the job, the administration, /readyz, the doctor and the metrics show a failure, which is retried an hour later', async () => {
  const place = join(folder, 'file')
  await writeFile(place, '')
  const { app, ann, minute, desk, connection } = await startSite({
    BACKUP_URL: place,
    LOG_LEVEL: 'info',
  })
  onTestFinished(() => endSite(app))
  await minute()
  const { last, good } = await desk(ann)
  expect(last).toMatchObject({
    bytes: null,
    error: expect.stringContaining(
      `${place} can not be used: a file stands where a folder is needed.`,
    ),
  })
  expect(good).toBe(null)
  const job = `select last_error as why from graphile_worker._private_jobs where last_error is not null`
  expect(await ask(connection, job)).toEqual([
    { why: expect.stringContaining('the daily backup failed') },
  ])
  const says = "the last daily backup failed: the desk's tab Backups shows why"
  const ready = await fetch(`${app.url}/readyz`)
  expect([ready.status, await ready.json()]).toEqual([
    200,
    { status: 'degraded', degraded: 'backups', says: { backups: says } },
  ])
  const found = await examineBackupRuns(app.app.database.db, app.app.core.config, new Date())
  expect(found).toEqual({
    part: 'backups',
    state: 'wrong',
    says: `${says}. It was: ${last?.error}`,
  })
  const port = await findTestPort()
  await app.app.listenMetrics(port, '127.0.0.1')
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  expect(metrics).toContain('\nbazaar_backups_configured 1\n')
  expect(metrics).toContain('\nbazaar_backup_failed 1\n')
  expect(metrics).not.toContain('\nbazaar_backup_age_seconds ')
  expect(loggedBy(app, 'the daily backup failed')).toEqual([
    expect.objectContaining({ level: 50, place, error: last?.error }),
  ])
  await rm(place)
  await minute()
  expect((await desk(ann)).good).toBe(null)
  app.clock.time = new Date(Date.now() + 61 * 60 * 1000)
  await minute()
  expect((await desk(ann)).good).toMatchObject({ place, daily: true })
  expect(await (await fetch(`${app.url}/readyz`)).json()).toEqual({ status: 'ready' })
  app.clock.time = new Date(Date.now() + 73 * 60 * 60 * 1000)
  expect(await (await fetch(`${app.url}/readyz`)).json()).toMatchObject({
    says: { backups: expect.stringMatching(/^the last backup is 3 days old: /) },
  })
}, 180_000)

test('a backup that misses its deadline is ended, and fails', async () => {
  const { app, ann, desk } = await startSite({ BACKUP_URL: join(folder, 'late') })
  onTestFinished(() => endSite(app))
  const { signal } = new AbortController()
  await expect(backUpDaily(app.app.core, { signal }, 1)).rejects.toThrow('the daily backup')
  expect((await desk(ann)).last).toMatchObject({ bytes: null })
}, 60_000)

test('a bucket stores and returns archives, and its failures are explained', async () => {
  const { app, ann, minute, desk, connection } = await startSite({ BACKUP_URL: s3.url })
  onTestFinished(() => endSite(app))
  await minute()
  const { last } = await desk(ann)
  expect(last).toMatchObject({ error: null, place: expect.stringContaining('/backups/') })
  expect(last?.place).not.toContain('@')
  const name = last?.name ?? ''
  const from = { connection, dataDir: app.dataDir }
  const secret = { BACKUP_URL: s3.url }
  expect(await command('backup', from, ['--verify', name], secret)).toMatchObject({ code: 0 })
  const to = { connection: await createTestDatabase(), dataDir: join(folder, 'restored') }
  expect(await command('restore', to, [name], secret)).toMatchObject({ code: 0 })
  const bucket = new URL(s3.url).pathname.slice(1)
  const again = { connection: await createTestDatabase(), dataDir: join(folder, 'again') }
  expect(await command('restore', again, [`s3://${bucket}/backups/${name}`], secret)).toMatchObject(
    { code: 0 },
  )

  const made = await command('backup', from, ['--to', `s3://${bucket}`, '--keep', '1d'], secret)
  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining(`Removed ${name}`) })
  expect(await refusalOf('restore', again, [name], secret)).toContain(`There is no ${name} in`)
  for (const [mood, sentence] of [
    ['read-only', 'can not be used: it denies a right.'],
    ['full', 'can not be used: the bucket is full.'],
  ] as const) {
    s3.mood = mood
    const stderr = await refusalOf('backup', from, [], secret)
    expect(stderr).toContain(sentence)
    expect(stderr).not.toMatch(/S3RVER:/)
  }
  s3.mood = 'well'
}, 180_000)
