/**
 * Restores a backup into an empty installation, all or nothing. Reads the archive twice: first to verify it, then
 * to fill tables that nobody sees yet and to store the files; one transaction shows all tables. A failure or an
 * interruption leaves the installation empty.
 */
import { open, readFile, rename, rm, writeFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import type { ClientConfig } from 'pg'
import {
  BackupError,
  damaged,
  type Ending,
  type Manifest,
} from '#server/operate/backup/archive/format.ts'
import { readArchive } from '#server/operate/backup/archive/read.ts'
import type { Progress } from '#server/operate/backup/backup.ts'
import { fillStage, type Filled } from '#server/operate/backup/filling/fill.ts'
import { openLanes, type Lanes } from '#server/operate/backup/filling/lanes.ts'
import {
  dropStage,
  enterStage,
  holdRestore,
  leaveStage,
  allowStarts,
} from '#server/operate/backup/filling/stage.ts'
import { clearFiles, hasFiles } from '#server/operate/backup/filling/restored-files.ts'
import { hasTables, prepareSchema, refuseUsed } from '#server/operate/backup/schema.ts'
import { queueWaiting } from '#server/operate/backup/tables.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openClient, openPool } from '#server/platform/db/pool.ts'
import type { Storage } from '#server/platform/core/storage.ts'
import type { Log } from '#server/kernel/log.ts'

/** Reads an archive, decrypted, from its start. */
export type ReadArchive = () => AsyncIterable<Buffer>

export interface RestoreNeeds {
  /** Bypasses a pooler. */
  readonly connection: ClientConfig
  readonly storage: Storage
  /** The folder for the key that the installation had created for itself. */
  readonly dataDir: string
  readonly log: Log
  readonly hear?: (progress: Progress) => void
  /** Called once everything is restored: a later failure undoes nothing. */
  readonly filled?: () => void
  readonly signal?: AbortSignal
}

export interface Restored extends Filled {
  readonly manifest: Manifest
  /** Migrations applied afterwards. */
  readonly migrated: number
}

/** A file in DATA_DIR while files are restored, which reveals an interrupted restore. */
const MARK = 'restore-unfinished'
const SECRET = 'auth-secret'

/**
 * Reads all of an archive, verifies the checksums, and returns its description. Changes nothing.
 * @throws BackupError for an archive that is cut, altered or of another product, or was made by a newer version
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
      refuseOther(manifest, known)
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
function refuseOther(manifest: Manifest, known: readonly string[]): void {
  if (!manifest.migrations.some((name) => name === known[0]))
    throw new BackupError(
      "This backup was made by a version before the first release, and can't be restored. Nothing was changed.",
    )
  const unknown = manifest.migrations.find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new BackupError(
    `This backup was made by a newer version (${manifest.version}) of Knowledge Bazaar, whose ${unknown} this one does not know. Restore it with that version, or a later one. Nothing was changed.`,
  )
}

/**
 * Restores an archive that `checkArchive` has read, and migrates its database to this version.
 * @throws BackupError when the installation isn't empty or is in use; errors of the database and the storage. The
 * installation is then as empty as before.
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
      return { ...filled, manifest, migrated: await migrateRestored(needs) }
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

async function migrateRestored({ connection, log }: RestoreNeeds): Promise<number> {
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

/** Fills tables on a stage and shows all of them at once; after a failure they are as empty as before. */
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
    await allowStarts(client)
    return filled
  } catch (error) {
    lanes?.destroy(error)
    client.connection.stream.destroy()
    const processes = [...(lanes?.processes ?? []), ...own.rows.map(({ pid }) => pid)]
    // The database itself may be unavailable; then the next restore drops the stage, and a start creates the
    // tables.
    await clearDatabase(needs, processes, manifest).catch(() => undefined)
    throw error
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

/**
 * Ends the sessions that use the stage, drops it, and creates the empty tables again unless somebody did
 * meanwhile.
 */
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

/** Syncs the draft to the disk before it gets its name. */
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
