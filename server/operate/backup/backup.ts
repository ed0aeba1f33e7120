/**
 * Makes a backup while people use the site: all tables in one snapshot, then every file. No file is removed
 * meanwhile, so all files of the snapshot exist; newer files may be included, and a restore leaves out those that
 * its database doesn't name.
 */
import { readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type pg from 'pg'
import type { ClientConfig } from 'pg'
import {
  AUTH_SECRET,
  BackupError,
  FORMAT,
  MANIFEST,
  partName,
  QUEUE,
  type Manifest,
} from '#server/operate/backup/archive/format.ts'
import {
  Abandoned,
  createArchive,
  type ArchiveWriter,
} from '#server/operate/backup/archive/write.ts'
import {
  hasQueue,
  listSequences,
  listTables,
  readRows,
  TEXT_SETTINGS,
  type Table,
} from '#server/operate/backup/tables.ts'
import { refuseUnmigrated } from '#server/operate/backup/schema.ts'
import { readWhole } from '#server/operate/backup/whole-file.ts'
import { LOCK_SPACES } from '#server/platform/db/locks.ts'
import { openClient } from '#server/platform/db/pool.ts'
import type { Storage } from '#server/platform/core/storage.ts'
import type { Log } from '#server/kernel/log.ts'

export interface BackupNeeds {
  /** Bypasses a pooler, because it holds session locks. */
  readonly connection: ClientConfig
  readonly storage: Storage
  /** The folder with the key that the installation created for itself; keys in AUTH_SECRETS are the operator's. */
  readonly dataDir: string
  readonly log: Log
  /** The product's version, stored in the archive. */
  readonly version: string
  readonly hear?: (progress: Progress) => void
  /**
   * The database runs on this machine under the same account, so its backend for the backup can get a lower
   * priority.
   */
  readonly isNice?: boolean
  /** Called once no other backup can be running. */
  readonly begun?: () => Promise<void>
  /** Stops the backup and leaves nothing behind. */
  readonly signal?: AbortSignal
}

/** The progress of a backup or a restore. */
export interface Progress {
  /** A table, or `files`. */
  readonly part: string
  /** Everything read so far, tables as text. */
  readonly bytes: number
  readonly files: number
}

export interface Made {
  readonly rows: number
  readonly files: number
  readonly fileBytes: number
}

/** Thrown while another backup of the installation is running. */
export class BackupUnderWay extends BackupError {}

/** Bytes and number of small files that are read ahead, because reading them is mostly latency. */
const SMALL = 1024 * 1024
const AHEAD = 8
/** How long to wait for running removals of files. */
const WAIT_FOR_REMOVALS = '60s'

/**
 * Makes a backup; `write` consumes the stream and stores all of it or nothing.
 * @throws BackupUnderWay when another one is running; BackupError when it was stopped, or the database has no
 * installation; errors of the database, the storage and `write`
 */
export async function makeBackup(
  needs: BackupNeeds,
  write: (archive: Readable) => Promise<unknown>,
): Promise<Made> {
  const client = await openClient(needs.connection, needs.log, 'migrations')
  let isDone = false
  try {
    if (needs.isNice === true) await lowerPriority(client)
    await refuseUnmigrated(client)
    await lockBackups(client)
    await needs.begun?.()
    const archive = createArchive()
    const stop = () => archive.fail(new BackupError('Stopped: no backup was made.'))
    needs.signal?.addEventListener('abort', stop, { once: true })
    try {
      const [made, written] = await Promise.allSettled([
        produce({ ...needs, client, archive }),
        // Nobody reads the archive after that, whether `write` has begun or not.
        write(archive.output).finally(() => archive.output.destroy()),
      ])
      if (needs.signal?.aborted === true) throw new BackupError('Stopped: no backup was made.')
      // The side that failed first has the reason.
      if (made.status === 'rejected' && !(made.reason instanceof Abandoned)) throw made.reason
      if (written.status === 'rejected') throw written.reason
      if (made.status === 'rejected') throw made.reason
      isDone = true
      return made.value
    } finally {
      needs.signal?.removeEventListener('abort', stop)
    }
  } finally {
    // Ending the client normally would wait for a half-read table.
    if (isDone) await client.end()
    else client.connection.stream.destroy()
  }
}

/** The niceness of a backup, so that the server's processes go first. */
export const NICE = 10

/** Lowers the priority of this session's backend. */
async function lowerPriority(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  try {
    for (const { pid } of rows) setPriority(pid, NICE)
  } catch {
    // If the system doesn't allow it, the backup runs at normal priority.
  }
}

/** @throws BackupError */
async function lockBackups(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ held: boolean }>(
    'select pg_try_advisory_lock($1) as held',
    [LOCK_SPACES.backups],
  )
  if (rows[0]?.held !== true)
    throw new BackupUnderWay('Another backup of this installation is being made. Wait for its end.')
  await client.query(`set lock_timeout = '${WAIT_FOR_REMOVALS}'`)
  await client.query('select pg_advisory_lock($1)', [LOCK_SPACES.fileRemovals])
}

interface Producing extends BackupNeeds {
  readonly client: pg.Client
  readonly archive: ArchiveWriter
}

async function produce(needs: Producing): Promise<Made> {
  const { client, archive, dataDir } = needs
  const seen = { bytes: 0, files: 0 }
  const hear = (part: string) => needs.hear?.({ part, ...seen })
  try {
    await client.query(TEXT_SETTINGS)
    await client.query('begin isolation level repeatable read read only')
    const tables = await listTables(client)
    await archive.add(MANIFEST, toJson(await describe(needs, tables)))
    const secret = await readIfThere(join(dataDir, 'auth-secret'))
    if (secret !== null) await archive.add(AUTH_SECRET, secret)
    const rows: Record<string, number> = {}
    for (const table of [...tables, ...((await hasQueue(client)) ? [QUEUE_TABLE] : [])]) {
      hear(table.name)
      const parts = readRows(client, table)
      let next = await parts.next()
      for (let part = 1; next.done !== true; part += 1) {
        await archive.add(partName(table.name, part), next.value.packed)
        seen.bytes += next.value.bytes
        hear(table.name)
        next = await parts.next()
      }
      rows[table.name] = next.value
    }
    const sequences = await listSequences(client)
    await client.query('commit')
    const fileBytes = await addFiles(needs, (size) => {
      seen.bytes += size
      seen.files += 1
      hear('files')
    })
    // If the session were lost, so would be its locks, and files may have been removed.
    await client.query('select 1')
    await archive.finish({ files: seen.files, fileBytes, rows, sequences })
    return {
      rows: Object.values(rows).reduce((sum, count) => sum + count, 0),
      files: seen.files,
      fileBytes,
    }
  } catch (error) {
    archive.fail(error instanceof Error ? error : new Error(String(error)))
    throw error
  }
}

const QUEUE_TABLE: Table = { name: QUEUE, columns: [] }

async function describe(
  { client, version }: Producing,
  tables: readonly Table[],
): Promise<Manifest> {
  const server = await client.query<{ postgres: number; at: Date }>(
    `select current_setting('server_version_num')::int as postgres, now() as at`,
  )
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
  return {
    product: 'knowledge-bazaar',
    format: FORMAT,
    version,
    postgres: server.rows[0]?.postgres ?? 0,
    madeAt: (server.rows[0]?.at ?? new Date()).toISOString(),
    migrations: rows.map(({ name }) => name),
    tables: tables.map(({ name, columns }) => ({ name, columns: [...columns] })),
  }
}

/** Returns the bytes of all files. Calls `added` after each. */
async function addFiles(
  { archive, storage }: Producing,
  added: (size: number) => void,
): Promise<number> {
  let sum = 0
  for await (const { key, size, content } of readFiles(storage)) {
    const name = `files/${key}`
    if (content === null) await archive.add(name, readWhole(storage, key, size), size)
    else await archive.add(name, content)
    sum += size
    added(size)
  }
  return sum
}

interface FoundFile {
  readonly key: string
  readonly size: number
  /** Null for a large file, which is read when its turn comes. */
  readonly content: Buffer | null
}

async function* readFiles(storage: Storage): AsyncGenerator<FoundFile> {
  const ahead: Promise<FoundFile | null>[] = []
  for (const prefix of ['pictures/', 'resources/']) {
    for await (const key of storage.list(prefix)) {
      const begun = begin(storage, key)
      // It is awaited when its turn comes.
      begun.catch(() => undefined)
      ahead.push(begun)
      if (ahead.length < AHEAD) continue
      const found = await ahead.shift()
      if (found !== null && found !== undefined) yield found
    }
  }
  for (const found of ahead) {
    const file = await found
    if (file !== null) yield file
  }
}

/** Returns null for a file that was removed since it was listed; nothing names it. */
async function begin(storage: Storage, key: string): Promise<FoundFile | null> {
  const size = await storage.sizeOf(key)
  if (size === null) return null
  if (size > SMALL) return { key, size, content: null }
  const pieces: Buffer[] = []
  for await (const piece of readWhole(storage, key, size)) pieces.push(piece)
  return { key, size, content: Buffer.concat(pieces) }
}

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

const toJson = (value: unknown) => Buffer.from(JSON.stringify(value))
