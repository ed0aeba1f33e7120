/**
 * Tests that a backup isn't bound to its origin: it moves between major versions of PostgreSQL, and between a
 * folder and a bucket.
 */
import { chmod, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { Session } from '#contract/accounts.ts'
import type { UploadedResource } from '#contract/files.ts'
import { startEmbedded, type EmbeddedServer } from '#server/platform/db/embedded/embedded.ts'
import { createTestApp, type Person, type TestApp } from '#server/testing/app.ts'
import { addressOf, ask, command, type Installation } from '#server/testing/backup/commands.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { liveThrough } from '#server/testing/lived-in.ts'
import { migrateLone } from '#server/testing/lone-postgres.ts'
import { openTestBucket } from '#server/testing/s3/bucket.ts'
import { collect, startS3, type TestS3 } from '#server/testing/s3/server.ts'
import { makeOlderCluster } from '#server/testing/upgrade/older.ts'
import { findOlderPostgres } from '#server/operate/upgrade/older-postgres.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { makeTestFolder } from '#server/testing/folder.ts'

const NAME = 'knots.txt'
const CONTENT = 'How to tie a knot that holds'
const servers: EmbeddedServer[] = []
const folder = await makeTestFolder()
await chmod(folder, 0o755)
afterAll(async () => {
  for (const server of servers) await server.stop()
})

let count = 0
const place = (name: string) => join(folder, `${(count += 1)}-${name}`)

/** Starts an empty database on a server of that major version, which ends with the tests. */
async function startMajor(major: number): Promise<Required<Installation>> {
  const older = await findOlderPostgres(major, folder)
  const dataDir = place(`postgres-${major}`)
  makeOlderCluster(older, dataDir)
  const server = await startEmbedded({ dataDir, postgres: older, fsync: false })
  servers.push(server)
  return { connection: server.connection, dataDir }
}

interface UsedSite {
  readonly app: TestApp
  readonly ann: Person
  readonly resource: string
}

/** Uses all features a little, and gives ann a resource with known content. */
async function useSite(app: TestApp): Promise<UsedSite> {
  const { ann } = await liveThrough(app)
  const form = formOf({ file: new File([CONTENT], NAME) })
  const { body } = await app.call<UploadedResource>('POST', '/upload/resource', { as: ann, form })
  await app.publishLesson(ann, { resources: body.url })
  return { app, ann, resource: body.url }
}

const sums = `select (select count(*)::int from users) as users, (select count(*)::int from lessons) as lessons,
  (select count(*)::int from messages) as messages, (select count(*)::int from uploads) as uploads,
  (select count(*)::int from point_entries) as entries, (select sum(net)::int from point_balances) as points`

/**
 * Checks that the restored copy has the same content, lets ann in, serves her file, and accepts a new lesson of
 * hers.
 */
async function expectAlive(
  { app, ann, resource }: UsedSite,
  to: Required<Installation>,
  environment: Record<string, string> = {},
): Promise<void> {
  expect(await ask(to.connection, sums)).toEqual(await ask(app.connection, sums))
  const settings = { DATA_DIR: to.dataDir, ...environment }
  const other = await createTestApp(settings, null, { connection: to.connection })
  try {
    const json = { username: ann.session.username, password: ann.password }
    const signedIn = await other.call<Session>('POST', '/identity/login', { json })
    expect(signedIn.status).toBe(200)
    const headers = { authorization: `Bearer ${signedIn.body.accessToken}` }
    const download = await fetch(other.url + resource, { headers })
    expect([download.status, await download.text()]).toEqual([200, CONTENT])
    const published = await other.publishLesson({ ...ann, session: signedIn.body })
    expect(published.id).toBeGreaterThan(0)
  } finally {
    await other.close()
  }
}

async function backUp(from: Installation, environment: Record<string, string> = {}) {
  const file = place('archive.tar')
  const made = await command('backup', from, [file], environment)
  expect(made).toMatchObject({ code: 0 })
  return file
}

async function restore(
  file: string,
  to: Installation,
  environment: Record<string, string> = {},
): Promise<void> {
  const done = await command('restore', to, [file], environment)
  expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('all well') })
}

const majorOf = async ({ connection }: Required<Installation>) =>
  (await ask(connection, `select current_setting('server_version_num')::int / 10000 as major`))[0]

test.each([15, 17])(
  'a backup of PostgreSQL %i is restored on 18, and back again',
  async (major) => {
    const old = await startMajor(major)
    await migrateLone({ url: addressOf(old.connection) })
    const app = await createTestApp({}, null, old)
    onTestFinished(() => app.close())
    const usedSite = await useSite(app)
    expect(await majorOf(old)).toEqual({ major })
    const file = await backUp({ connection: old.connection, dataDir: app.dataDir })
    const ours = { connection: await createTestDatabase(), dataDir: place('data') }
    expect(await majorOf(ours)).toEqual({ major: 18 })
    await restore(file, ours)
    const again = await backUp(ours)
    await expectAlive(usedSite, ours)
    const back = { ...(await startMajor(major)), dataDir: place('data') }
    await restore(again, back)
    await expectAlive(usedSite, back)
  },
  300_000,
)

/** Returns the keys of all pictures and resources in a bucket. */
async function keysOf({ url }: TestS3): Promise<string[]> {
  const bucket = openTestBucket(url)
  const pictures = await collect(bucket.storage.list('pictures/'))
  const resources = await collect(bucket.storage.list('resources/'))
  bucket.close()
  return [...pictures, ...resources].toSorted()
}

/** Returns the keys of all pictures and resources in a folder. */
async function filesIn(dataDir: string): Promise<string[]> {
  const root = join(dataDir, 'files')
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .toSorted()
}

test('files move from a folder into a bucket, and from a bucket into a folder', async () => {
  const s3 = await startS3()
  const environment = { S3_URL: s3.url }
  const app = await createTestApp()
  onTestFinished(async () => {
    await app.close()
    await s3.close()
  })
  const usedSite = await useSite(app)
  const inBucket = { connection: await createTestDatabase(), dataDir: place('data') }
  await restore(await backUp(app), inBucket, environment)
  expect(await keysOf(s3)).not.toEqual([])
  await expectAlive(usedSite, inBucket, environment)
  // What was published there meanwhile is included.
  const there = { ...usedSite, app: { ...app, connection: inBucket.connection } }
  const inFolder = { connection: await createTestDatabase(), dataDir: place('data') }
  await restore(await backUp(inBucket, environment), inFolder)
  expect(await filesIn(inFolder.dataDir)).toEqual(await keysOf(s3))
  await expectAlive(there, inFolder)
}, 300_000)
