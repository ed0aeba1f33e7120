/**
 * Restores a backup into an empty installation, all or nothing. The archive is read twice: first whole, to see that it
 * is as it was written, then to fill the tables in one transaction and to store the files before its commit. What fails
 * or is cut off leaves the installation empty.
 */
import { open, readFile, rename, rm, writeFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import type { ClientConfig } from 'pg'
import { BackupError, damaged, type Ending, type Manifest } from '#server/backup/archive/format.ts'
import { readArchive } from '#server/backup/archive/read.ts'
import type { Progress } from '#server/backup/backup.ts'
import { clearFiles, createFileRestore, hasFiles } from '#server/backup/restored-files.ts'
import { prepareSchema, refuseUsed } from '#server/backup/schema.ts'
import {
  listTables,
  makeWaiting,
  queueWaiting,
  TEXT_SETTINGS,
  WAITING,
  writeRows,
  type Table,
} from '#server/backup/tables.ts'
import { migrate } from '#server/db/migrate.ts'
import { openClient, openPool } from '#server/db/pool.ts'
import { dropSecondary } from '#server/db/secondary.ts'
import type { Storage } from '#server/files/storage.ts'
import type { Log } from '#server/kernel/log.ts'
import { QUEUE } from '#server/backup/archive/format.ts'

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

export interface Restored {
  readonly manifest: Manifest
  readonly ending: Ending
  /** Files that its database does not name, stored while the backup was made: left out. */
  readonly leftOut: number
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
    await refuseUsed(client)
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
      await client.query('rollback').catch(() => undefined)
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

async function fill(
  needs: Filling,
  read: ReadArchive,
  manifest: Manifest,
): Promise<Pick<Restored, 'ending' | 'leftOut'>> {
  const { client, storage, dataDir, signal } = needs
  await client.query(TEXT_SETTINGS)
  await client.query('begin')
  const tables = await matchTables(client, manifest)
  const names = [...tables.keys()]
  // Tables that are not copied may refer to them; in an empty installation these are empty as well.
  await client.query(`truncate ${names.join(', ')} cascade`)
  const secondary = await dropSecondary(client, names)
  await makeWaiting(client)
  tables.set(QUEUE, WAITING)
  const rows = new Map<string, number>()
  const files = createFileRestore(client, storage)
  let isIndexed = false
  let bytes = 0
  const makeSecondary = async () => {
    if (isIndexed) return
    isIndexed = true
    for (const [place, statement] of secondary.entries()) {
      needs.hear?.({ part: `indexes (${place + 1} of ${secondary.length})`, bytes, files: 0 })
      await client.query(statement)
    }
  }
  let ending: Ending | null = null
  try {
    for await (const part of readArchive(read())) {
      signal?.throwIfAborted()
      if (part.kind === 'key') await putSecret(dataDir, part.bytes)
      else if (part.kind === 'table') {
        const table = tables.get(part.table)
        if (table === undefined)
          throw damaged(`it has rows of ${part.table}, which it does not name`)
        const count = await writeRows(client, table, part.packed)
        rows.set(part.table, (rows.get(part.table) ?? 0) + count)
        bytes += part.packed.length
        needs.hear?.({ part: part.table, bytes, files: files.stored })
      } else if (part.kind === 'file') {
        await makeSecondary()
        await files.add(part)
        bytes += part.size
        needs.hear?.({ part: 'files', bytes, files: files.stored })
      } else if (part.kind === 'end') ({ ending } = part)
    }
  } finally {
    await files.settle()
  }
  await files.finish()
  if (ending === null) throw damaged('its end is missing')
  compareRows(ending, rows)
  await makeSecondary()
  await setSequences(client, ending)
  await queueWaiting(client)
  await client.query('commit')
  return { ending, leftOut: files.leftOut }
}

/** The tables of the archive, as the database of the same migrations has them. @throws BackupError */
async function matchTables(client: pg.Client, manifest: Manifest): Promise<Map<string, Table>> {
  const there = new Map((await listTables(client)).map((table) => [table.name, table]))
  return new Map(
    manifest.tables.map((table) => {
      const own = there.get(table.name)
      const isAlike = table.columns.every((column) => own?.columns.includes(column) === true)
      if (!isAlike) throw damaged(`it has a table ${table.name} that is not that of its migrations`)
      return [table.name, table]
    }),
  )
}

/** @throws BackupError */
function compareRows(ending: Ending, rows: ReadonlyMap<string, number>): void {
  const wrong = Object.entries(ending.rows).find(([name, count]) => (rows.get(name) ?? 0) !== count)
  if (wrong !== undefined)
    throw damaged(
      `the table ${wrong[0]} has ${rows.get(wrong[0]) ?? 0} rows instead of ${wrong[1]}`,
    )
}

async function setSequences(client: pg.Client, { sequences }: Ending): Promise<void> {
  for (const { name, last } of sequences)
    if (last !== null)
      await client.query(
        `select setval(c.oid, $2) from pg_class c where c.relname = $1 and c.relkind = 'S'
           and c.relnamespace = current_schema()::regnamespace`,
        [name, last],
      )
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
