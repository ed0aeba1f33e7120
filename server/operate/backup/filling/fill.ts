/**
 * Fills the tables of a stage from an archive and stores its files. Indexes of a full table are created on other
 * connections while the next table is filled; constraints and keys follow at the end.
 */
import type pg from 'pg'
import {
  damaged,
  QUEUE,
  type Ending,
  type Manifest,
} from '#server/operate/backup/archive/format.ts'
import { readArchive } from '#server/operate/backup/archive/read.ts'
import type { Progress } from '#server/operate/backup/backup.ts'
import { stripTables, type Bare } from '#server/operate/backup/filling/bare.ts'
import type { Lanes } from '#server/operate/backup/filling/lanes.ts'
import { createFileRestore } from '#server/operate/backup/filling/restored-files.ts'
import {
  listTables,
  makeWaiting,
  TEXT_SETTINGS,
  unpack,
  WAITING,
  writeRows,
  type Table,
} from '#server/operate/backup/tables.ts'
import type { Storage } from '#server/platform/core/storage.ts'

export interface Filling {
  /** Uses the stage's search path and fills the tables; the lanes create indexes. */
  readonly client: pg.Client
  readonly lanes: Lanes
  readonly storage: Storage
  /** Stores the key that the installation had created for itself. */
  readonly keepSecret: (secret: Buffer) => Promise<void>
  readonly hear?: (progress: Progress) => void
  readonly signal?: AbortSignal
}

export interface Filled {
  readonly ending: Ending
  /**
   * Files that the database doesn't name, because they were stored while the backup was made; they are left out.
   */
  readonly leftOut: number
}

/** They tell which files belong to somebody, so their indexes come first. */
const NAME_FILES = ['pictures', 'uploads']

/**
 * Reads the archive to its end. Waiting jobs are then in a temporary table of `client`.
 * @throws BackupError, errors of the database and the storage
 */
export async function fillStage(
  needs: Filling,
  source: AsyncIterable<Buffer>,
  manifest: Manifest,
): Promise<Filled> {
  const { client, lanes, storage, signal } = needs
  await client.query(TEXT_SETTINGS)
  // Only the last commit, which shows the restored tables, waits for the disk; the earlier ones are useless
  // without it.
  await client.query('set synchronous_commit = off')
  const tables = await matchTables(client, manifest)
  const names = [...tables.keys()]
  const bare = await stripTables(client, names)
  await client.query(`truncate ${names.join(', ')}`)
  await makeWaiting(client)
  const indexing = createIndexing(lanes, bare)
  const rows = createRows(client, tables, (table) => indexing.begin(table))
  const files = createFileRestore(client, storage)
  let bytes = 0
  let ending: Ending | null = null
  const hear = (part: string) => needs.hear?.({ part, bytes, files: files.stored })
  try {
    for await (const part of readArchive(source)) {
      signal?.throwIfAborted()
      if (part.kind === 'key') await needs.keepSecret(part.bytes)
      else if (part.kind === 'table') {
        await rows.add(part.table, part.packed)
        bytes += part.packed.length
        hear(part.table)
      } else if (part.kind === 'file') {
        await rows.finish()
        await indexing.have(NAME_FILES)
        await files.add(part)
        bytes += part.size
        hear('files')
      } else if (part.kind === 'end') ({ ending } = part)
    }
    await rows.finish()
  } finally {
    await files.settle()
  }
  await files.finish()
  if (ending === null) throw damaged('its end is missing')
  compareRows(ending, rows.counts)
  const steps = count(bare.indexes) + count(bare.proofs) + names.length
  const progressTimer = setInterval(
    () => hear(`indexes and keys (${lanes.done} of ${steps})`),
    1000,
  )
  try {
    await indexing.have(names)
    await addConstraints(client, lanes, bare, names)
  } finally {
    clearInterval(progressTimer)
  }
  await setSequences(client, ending)
  await client.query('reset synchronous_commit')
  return { ending, leftOut: files.leftOut }
}

const count = (statements: ReadonlyMap<string, readonly string[]>) =>
  [...statements.values()].reduce((sum, { length }) => sum + length, 0)

interface Indexing {
  /** Call it when the table is full. */
  begin(table: string): void
  /** Waits for the indexes of these tables. @throws errors of the database for any index */
  have(tables: readonly string[]): Promise<void>
}

function createIndexing(lanes: Lanes, { indexes }: Bare): Indexing {
  const begun = new Map<string, Promise<unknown>>()
  const begin = (table: string) => {
    if (begun.has(table)) return
    const isUrgent = NAME_FILES.includes(table)
    const making = Promise.all(
      (indexes.get(table) ?? []).map((statement) => lanes.run([statement], { isUrgent })),
    )
    // `have` awaits it, possibly much later.
    making.catch(() => undefined)
    begun.set(table, making)
  }
  return {
    begin,
    have: async (tables) => {
      for (const table of tables) begin(table)
      for (const table of tables) await begun.get(table)
    },
  }
}

interface Rows {
  readonly counts: ReadonlyMap<string, number>
  /**
   * Takes a part and may write it later. @throws BackupError, errors of the database, possibly for an earlier part
   */
  add(table: string, packed: Buffer): Promise<void>
  /** Waits until all parts are written. */
  finish(): Promise<void>
}

/** Fills the tables one after the other, each in a transaction. Calls `filled` with the name of each. */
function createRows(
  client: pg.Client,
  tables: ReadonlyMap<string, Table>,
  filled: (table: string) => void,
): Rows {
  const counts = new Map<string, number>()
  let current: Table | null = null
  let writing: Promise<number> = Promise.resolve(0)
  const settle = async () => {
    if (current === null) return
    counts.set(current.name, (counts.get(current.name) ?? 0) + (await writing))
    writing = Promise.resolve(0)
  }
  const finish = async () => {
    if (current === null) return
    await settle()
    await client.query('commit')
    filled(current.name)
    current = null
  }
  const begin = async (name: string) => {
    if (counts.has(name)) throw damaged(`the rows of ${name} do not stand together`)
    const table = name === QUEUE ? WAITING : tables.get(name)
    if (table === undefined) throw damaged(`it has rows of ${name}, which it does not name`)
    await client.query('begin')
    // Truncates in this transaction, so that rows may be written frozen and, without a standby, without WAL.
    await client.query(`truncate ${table.name}`)
    current = table
    return table
  }
  return {
    counts,
    add: async (name, packed) => {
      const stored = name === QUEUE ? WAITING.name : name
      if (current !== null && current.name !== stored) await finish()
      const table = current ?? (await begin(name))
      // The previous part is still being written.
      const text = await unpack(table, packed)
      await settle()
      writing = writeRows(client, table, text, table !== WAITING)
      // It is awaited with the next part.
      writing.catch(() => undefined)
    },
    finish,
  }
}

/** Adds constraints and foreign keys, validates them, and collects statistics for the planner. */
async function addConstraints(
  client: pg.Client,
  lanes: Lanes,
  { constraints, keys, proofs }: Bare,
  names: readonly string[],
): Promise<void> {
  await client.query('begin')
  for (const statement of [...constraints, ...keys]) await client.query(statement)
  await client.query('commit')
  const { rows } = await client.query<{ name: string }>(
    `select c::text as name from unnest($1::regclass[]) c order by pg_relation_size(c) desc`,
    [[...new Set([...names, ...proofs.keys()])]],
  )
  // Statements on one table wait for each other, so each table is one task, the largest first.
  await Promise.all(
    rows.map(({ name }) => lanes.run([...(proofs.get(name) ?? []), `analyze ${name}`])),
  )
}

/** Matches the archive's tables with those of a database with the same migrations. @throws BackupError */
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
  const found = (name: string) => rows.get(name === QUEUE ? WAITING.name : name) ?? 0
  const wrong = Object.entries(ending.rows).find(([name, count]) => found(name) !== count)
  if (wrong !== undefined)
    throw damaged(`the table ${wrong[0]} has ${found(wrong[0])} rows instead of ${wrong[1]}`)
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
