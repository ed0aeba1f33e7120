/**
 * Restores a backup into an empty installation, all or nothing. The archive is read twice: first whole, to see that it
 * is as it was written, then to fill tables that nobody sees yet and to store the files; one transaction shows all of
 * them. What fails or is cut off leaves the installation empty.
 */
import { open, readFile, rename, rm, writeFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import type { ClientConfig } from 'pg'
import { BackupError, damaged, type Ending, type Manifest } from '#server/backup/archive/format.ts'
import { readArchive } from '#server/backup/archive/read.ts'
import type { Progress } from '#server/backup/backup.ts'
import { fillStage, type Filled } from '#server/backup/filling/fill.ts'
import { openLanes, type Lanes } from '#server/backup/filling/lanes.ts'
import {
  dropStage,
  enterStage,
  holdRestore,
  leaveStage,
  letStart,
} from '#server/backup/filling/stage.ts'
import { clearFiles, hasFiles } from '#server/backup/restored-files.ts'
import { hasTables, prepareSchema, refuseUsed } from '#server/backup/schema.ts'
import { queueWaiting } from '#server/backup/tables.ts'
import { migrate } from '#server/db/migrate.ts'
import { openClient, openPool } from '#server/db/pool.ts'
import type { Storage } from '#server/files/storage.ts'
import type { Log } from '#server/kernel/log.ts'

/** Begins to read an archive, decrypted, from its start. */
export type ReadArchive = () => AsyncIterable<Buffer>

export interface RestoreNeeds {
  /** Past a pooler. */
  readonly connection: ClientConfig
  readonly storage: Storage
  /** Where the key is put that the installation had made for itself. */
  readonly dataDir: string
  readonly log: Log
  readonly hear?: (progress: Progress) => void
  /** Called once all of it is there: what fails from then on takes nothing back. */
  readonly filled?: () => void
  readonly signal?: AbortSignal
}

export interface Restored extends Filled {
  readonly manifest: Manifest
  /** Migrations that came afterwards. */
  readonly migrated: number
}

/** Stands in DATA_DIR while files are restored, so that those of a restore that was cut off are known. */
const MARK = 'restore-unfinished'
const SECRET = 'auth-secret'

/**
 * Reads an archive whole, and compares everything with its sums; answers what it says of itself. Changes nothing.
 * @throws BackupError for one that is cut, altered or another's, or was made by a newer version
 */
export async function checkArchive(
  read: ReadArchive,
  known: readonly string[],
  { hear, signal }: Pick<RestoreNeeds, 'hear' | 'signal'> = {},
): Promise<{ manifest: Manifest; ending: Ending }> {
  let manifest: Manifest | null = null
  let ending: Ending | null = null
  let bytes = 0
  let files = 0
  for await (const part of readArchive(read())) {
    signal?.throwIfAborted()
    if (part.kind === 'manifest') {
      manifest = part.manifest
      refuseNewer(manifest, known)
    } else if (part.kind === 'end') ending = part.ending
    else if (part.kind === 'file') {
      bytes += part.size
      files += 1
    } else if (part.kind === 'table') bytes += part.packed.length
    hear?.({ part: 'reading', bytes, files })
  }
  if (manifest === null || ending === null) throw damaged('its end is missing')
  return { manifest, ending }
}

/** @throws BackupError */
function refuseNewer(manifest: Manifest, known: readonly string[]): void {
  const unknown = manifest.migrations.find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new BackupError(
    `This backup was made by a newer version (${manifest.version}) of Knowledge Bazaar, whose ${unknown} this one does not know. Restore it with that version, or a later one. Nothing was changed.`,
  )
}

/**
 * Restores an archive that `checkArchive` has read, and brings its database to this version.
 * @throws BackupError when the installation is not empty, or in use; what the database and the storage throw. Then it is
 * as empty as before.
 */
export async function restoreBackup(
  needs: RestoreNeeds,
  read: ReadArchive,
  manifest: Manifest,
): Promise<Restored> {
  const { connection, storage, dataDir, log } = needs
  const mark = join(dataDir, MARK)
  const client = await openClient(connection, log, 'migrations')
  let isDone = false
  try {
    await holdRestore(client)
    await refuseUsed(client)
    await dropStage(client)
    const isLeftOver = (await readFile(mark, 'utf8').catch(() => null)) !== null
    if (!isLeftOver && (await hasFiles(storage)))
      throw new BackupError(
        'The storage has pictures or resources already. Restore into an empty DATA_DIR, or an empty bucket. Nothing was changed.',
      )
    await mkdir(dataDir, { recursive: true })
    await writeFile(mark, manifest.madeAt, { flush: true })
    const before = await readFile(join(dataDir, SECRET)).catch(() => null)
    try {
      if (isLeftOver) await clearFiles(storage)
      await prepareSchema(client, { connection, log }, manifest.migrations)
      const filled = await fill({ ...needs, client }, read, manifest)
      isDone = true
      needs.filled?.()
      await rm(mark, { force: true })
      return { ...filled, manifest, migrated: await bringUp(needs) }
    } catch (error) {
      if (isDone) throw error
      await clearFiles(storage)
      if (before === null) await rm(join(dataDir, SECRET), { force: true })
      else await putSecret(dataDir, before)
      await rm(mark, { force: true })
      throw error
    }
  } finally {
    if (isDone) await client.end()
    else client.connection.stream.destroy()
  }
}

async function bringUp({ connection, log }: RestoreNeeds): Promise<number> {
  const pool = openPool(connection, log, { work: 'migrations', size: 1 })
  try {
    return (await migrate(pool)).length
  } finally {
    await pool.end()
  }
}

interface Filling extends RestoreNeeds {
  readonly client: pg.Client
}

/** Fills tables on a stage, and shows all of them at once; where it fails, they are as empty as before. */
async function fill(needs: Filling, read: ReadArchive, manifest: Manifest): Promise<Filled> {
  const { client, connection, dataDir, log, signal } = needs
  const own = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  let lanes: Lanes | null = null
  const stop = () => lanes?.destroy(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    const stage = await enterStage(client)
    lanes = await openLanes(connection, log, stage.searchPath)
    const keepSecret = (secret: Buffer) => putSecret(dataDir, secret)
    const filled = await fillStage({ ...needs, lanes, keepSecret }, read(), manifest)
    await lanes.close()
    signal?.throwIfAborted()
    await client.query('begin')
    await leaveStage(client, stage)
    await queueWaiting(client)
    await client.query('commit')
    await letStart(client)
    return filled
  } catch (error) {
    lanes?.destroy(error)
    client.connection.stream.destroy()
    const processes = [...(lanes?.processes ?? []), ...own.rows.map(({ pid }) => pid)]
    // The reason may be that the database is away: then the next restore drops the stage, and a start makes the tables.
    await clearDatabase(needs, processes, manifest).catch(() => undefined)
    throw error
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

/** Ends what works on a stage, drops it, and makes the empty tables anew, unless somebody did meanwhile. */
async function clearDatabase(
  { connection, log }: RestoreNeeds,
  processes: readonly number[],
  { migrations }: Manifest,
): Promise<void> {
  const client = await openClient(connection, log, 'migrations')
  try {
    await client.query(`select pg_terminate_backend(pid, 60000) from unnest($1::int[]) pid`, [
      processes,
    ])
    await dropStage(client)
    if (!(await hasTables(client))) await prepareSchema(client, { connection, log }, migrations)
  } finally {
    await client.end()
  }
}

/** Whole on the disk before it has its name. */
async function putSecret(dataDir: string, secret: Buffer): Promise<void> {
  const draft = join(dataDir, `${SECRET}.restored-${process.pid}`)
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(secret)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, join(dataDir, SECRET))
}
