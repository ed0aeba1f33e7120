/**
 * Fills a database in one transaction with `COPY`. Any interruption (Ctrl-C, full disk, power failure) rolls
 * everything back, so that secondary indexes and foreign keys can safely be dropped meanwhile.
 */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { dropSecondary } from '#server/platform/db/secondary.ts'
import { createContent, type Sizes } from '#scripts/seed/content.ts'
import type { Begin, SeedTable } from '#scripts/seed/row.ts'
import { seedTables } from '#scripts/seed/tables.ts'
import { Failure } from '#scripts/status.mjs'

/** Rows per `COPY`, because its pending foreign key checks stay in the server's memory until its end. */
const PIECE = 50_000
/** Characters per chunk. */
const BLOCK = 64 * 1024

export interface FillNeeds {
  readonly client: pg.Client
  readonly passwordHash: string
  /** Adds to existing content, which may be in use: indexes stay, and rows are checked immediately. */
  readonly isAdded: boolean
  readonly hear: (progress: Progress) => void
}

/** Progress of a table. Without rows it has just started. */
export interface Progress {
  readonly table: string
  readonly rows: number
  readonly count: number
}

/** Rows written per table. */
export type Written = ReadonlyMap<string, number>

/**
 * Adds content of these sizes. Returns the rows per table and the number of the first person.
 * @throws Failure when the database already has lessons and `isAdded` is false; nothing is written then
 */
export async function fillSeed(
  needs: FillNeeds,
  sizes: Sizes,
): Promise<{ written: Written; firstPerson: number }> {
  const { client, isAdded, passwordHash, hear } = needs
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = '10s'`)
    const content = createContent(sizes)
    const names = seedTables(createContent({ ...sizes, ...NONE }), FIRST, '').map(
      ({ name }) => name,
    )
    // Waits for current writers, and makes new ones wait until the end.
    await client.query(`lock table ${names.join(', ')} in share row exclusive mode`)
    if (!isAdded) await refuseLessons(client)
    const begin = await findBegin(client)
    hear({ table: 'numbers of cards', rows: 0, count: 1 })
    const tables = seedTables(content, begin, passwordHash)
    const restore = isAdded ? [] : await dropSecondary(client, names)
    const written = new Map<string, number>()
    for (const table of tables) written.set(table.name, await copyTable(client, table, hear))
    for (const [place, statement] of restore.entries()) {
      await client.query(statement)
      hear({ table: 'indexes and foreign keys', rows: place + 1, count: restore.length })
    }
    await moveSequences(client, written)
    await client.query('commit')
    hear({ table: 'statistics', rows: 0, count: 1 })
    await client.query(`vacuum (analyze) ${names.join(', ')}`)
    return { written, firstPerson: begin.person }
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

const NONE = { lessons: 10, users: 10, purchases: 0, likes: 0, comments: 0, messages: 0 }
const FIRST: Begin = {
  person: 1,
  lesson: 1,
  course: 1,
  coursePurchase: 1,
  entry: 1,
  comment: 1,
  message: 1,
}

async function refuseLessons(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select from lessons limit 1')
  if (rows.length > 0)
    throw new Failure(
      'This database has lessons already, and nothing was changed. Name an empty one (DATABASE_URL, or DATA_DIR for the embedded one), or add to what is there with --add.',
    )
}

/** Tables with an id sequence, by their keys in `Begin`. */
const COUNTED = {
  lesson: 'lessons',
  course: 'courses',
  coursePurchase: 'course_purchases',
  entry: 'point_entries',
  comment: 'comments',
  message: 'messages',
} as const

async function findBegin(client: pg.Client): Promise<Begin> {
  const next = async (table: string): Promise<number> => {
    // A sequence may be ahead of its table, because rolled-back transactions don't return values.
    const { rows } = await client.query<{ next: string }>(
      `select greatest(nextval(pg_get_serial_sequence('${table}', 'id')), (select coalesce(max(id), 0) + 1 from ${table})) as next`,
    )
    return Number(rows[0]?.next ?? 1)
  }
  const { rows } = await client.query<{ next: string }>(
    String.raw`select coalesce(max(substr(username, 7)::bigint), 0) + 1 as next from users where username ~ '^person\d{1,9}$'`,
  )
  return {
    person: Number(rows[0]?.next ?? 1),
    lesson: await next(COUNTED.lesson),
    course: await next(COUNTED.course),
    coursePurchase: await next(COUNTED.coursePurchase),
    entry: await next(COUNTED.entry),
    comment: await next(COUNTED.comment),
    message: await next(COUNTED.message),
  }
}

async function moveSequences(client: pg.Client, written: Written): Promise<void> {
  for (const table of Object.values(COUNTED)) {
    if ((written.get(table) ?? 0) === 0) continue
    await client.query(
      `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`,
    )
  }
}

async function copyTable(
  client: pg.Client,
  { name, columns, count, rowOf }: SeedTable,
  hear: FillNeeds['hear'],
): Promise<number> {
  let written = 0
  for (let first = 0; first < count; first += PIECE) {
    const last = Math.min(count, first + PIECE)
    const stream = client.query(copyFrom(`copy ${name} (${columns.join(', ')}) from stdin`))
    await pipeline(Readable.from(blocksOf(rowOf, first, last)), stream)
    written += stream.rowCount
    hear({ table: name, rows: last, count })
  }
  return written
}

/** Yields the rows from `first` to before `last` as blocks, of which only one is in memory. */
function* blocksOf(rowOf: (n: number) => string, first: number, last: number): Generator<Buffer> {
  let block = ''
  for (let n = first; n < last; n += 1) {
    block += rowOf(n)
    if (block.length < BLOCK) continue
    yield Buffer.from(block)
    block = ''
  }
  if (block !== '') yield Buffer.from(block)
}
