/** Reads and writes the tables of an archive: rows as text, in bounded parts. */
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { damaged, LARGEST_PART, PART_BYTES, QUEUE } from '#server/operate/backup/archive/format.ts'

type Client = pg.ClientBase

export interface Table {
  readonly name: string
  readonly columns: readonly string[]
}

/**
 * Excludes an installation's transient state: the migrations, which a restore applies itself, the running
 * processes, the beats of replicas, its own backups, and exports of people's data, which last days and can be made
 * again.
 */
const EXCLUDED = ['migrations', 'nodes', 'replica_beats', 'backup_runs', 'data_exports']
/** Level 3 makes rows no smaller and takes a tenth longer. */
const LEVEL = 1
const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
const NEWLINE = 0x0a

/** With these settings, text means the same on every server. */
export const TEXT_SETTINGS = `set client_encoding = 'UTF8'; set datestyle = 'ISO'; set intervalstyle = 'postgres';
  set timezone = 'UTC'; set bytea_output = 'hex'; set extra_float_digits = 3`

/** Lists all tables with their stored columns, ordered by name. */
export async function listTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and c.relname <> all($1::text[])
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     group by c.relname order by c.relname`,
    [EXCLUDED],
  )
  return rows
}

/** Lists the sequences with their last value; null if there is none yet. */
export async function listSequences(
  client: Client,
): Promise<{ name: string; last: number | null }[]> {
  const { rows } = await client.query<{ name: string; last: string | null }>(
    `select sequencename::text as name, last_value::text as last from pg_sequences
     where schemaname = current_schema() order by 1`,
  )
  return rows.map(({ name, last }) => ({ name, last: last === null ? null : Number(last) }))
}

/** The jobs that may still run, without those that were given up. */
const WAITING_JOBS = `select t.identifier, j.payload, j.run_at, j.max_attempts, j.key, j.priority
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
  where j.attempts < j.max_attempts`

/** Returns false for a database that was never served. */
export async function hasQueue(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('graphile_worker._private_jobs') is not null as there`,
  )
  return rows[0]?.there === true
}

/** A compressed part of a table, with its size. */
export interface Part {
  readonly packed: Buffer
  readonly bytes: number
}

/**
 * Yields the rows of a table in parts, in no order; compresses one part while the next is read. Returns the number
 * of rows.
 */
export async function* readRows(
  client: Client,
  { name, columns }: Table,
): AsyncGenerator<Part, number> {
  const source =
    name === QUEUE ? `(${WAITING_JOBS})` : `${quoted(name)} (${columns.map(quoted).join(', ')})`
  const stream = client.query(copyTo(`copy ${source} to stdout`))
  let packing: Promise<Part> | null = null
  for await (const text of inParts(stream)) {
    const ready: Part | null = await packing
    packing = pack(text)
    // It is awaited below, but may reject earlier.
    packing.catch(() => undefined)
    if (ready !== null) yield ready
  }
  if (packing !== null) yield await packing
  return stream.rowCount
}

async function pack(text: Buffer): Promise<Part> {
  const params = { [constants.ZSTD_c_compressionLevel]: LEVEL }
  return { packed: await compress(text, { params }), bytes: text.length }
}

/** Splits at rows: in COPY's text format a line feed always ends a row. */
async function* inParts(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let length = 0
  for await (const piece of stream) {
    pieces.push(piece)
    length += piece.length
    const end = length < PART_BYTES ? -1 : piece.lastIndexOf(NEWLINE)
    if (end === -1) continue
    const rest = Buffer.from(piece.subarray(end + 1))
    yield Buffer.concat(pieces).subarray(0, length - rest.length)
    pieces = [rest]
    length = rest.length
  }
  if (length > 0) yield Buffer.concat(pieces)
}

/** Decompresses a part. @throws BackupError */
export async function unpack({ name }: Table, packed: Buffer): Promise<Buffer> {
  try {
    return await decompress(packed, { maxOutputLength: LARGEST_PART })
  } catch {
    throw damaged(`a part of the table ${name} can not be unpacked`)
  }
}

/**
 * Adds rows and returns their number. `frozen` uses COPY FREEZE, which spares a later vacuum; only for a table
 * that was truncated in the same transaction. @throws errors of the database
 */
export async function writeRows(
  client: Client,
  { name, columns }: Table,
  text: Buffer,
  frozen: boolean,
): Promise<number> {
  const options = frozen ? ' with (freeze)' : ''
  const stream = client.query(
    copyFrom(`copy ${quoted(name)} (${columns.map(quoted).join(', ')}) from stdin${options}`),
  )
  await pipeline([text], stream)
  return stream.rowCount
}

/** A temporary table for the archive's jobs before they are queued. */
export const WAITING: Table = {
  name: 'waiting_jobs',
  columns: ['identifier', 'payload', 'run_at', 'max_attempts', 'key', 'priority'],
}

export async function makeWaiting(client: Client): Promise<void> {
  await client.query(
    `create temporary table waiting_jobs (identifier text, payload json, run_at timestamptz, max_attempts int, key text,
      priority int)`,
  )
}

/** Queues the jobs of that table. */
export async function queueWaiting(client: Client): Promise<void> {
  await client.query(
    `select count(graphile_worker.add_job(identifier, payload := payload, run_at := run_at,
      max_attempts := max_attempts, job_key := key, priority := priority)) from waiting_jobs`,
  )
}

const quoted = (name: string) => pg.escapeIdentifier(name)
