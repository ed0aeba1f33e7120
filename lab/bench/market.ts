/**
 * Content of `npm run seed` that is generated once and stored, so that a measurement starts within seconds. Each
 * run uses a copy, so that its writes don't affect the next run.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { personId } from '#scripts/seed/content.ts'
import { fillSeed } from '#scripts/seed/fill.ts'
import { openBenchDatabase, type BenchDatabase } from './database.ts'

/** About one title in ten thousand starts with this. */
export const RARE = 'zither'
/** The reader bought the lessons from 1 to this number, and each has 60 comments. */
export const READ = 500
const COMMENTS = 60
/** People who own and bought nothing. */
const NEWCOMERS = 400
const SEED = 1
/** The database of the current run. */
const COPY = 'run'
const ROOT = join(import.meta.dirname, '..', '..')
const FOLDER = join(ROOT, 'node_modules', '.cache', 'bench')

/** Every author has a course, and there are at most a tenth as many courses as lessons. */
export interface MarketSize {
  readonly lessons: number
  readonly users: number
}

export interface Market extends BenchDatabase {
  readonly lessons: number
  readonly courses: number
  /** Ids of people with a session of the same id. */
  readonly reader: string
  readonly buyers: readonly string[]
}

export const authorId = (n: number): string => personId(SEED, n)

/** Opens a copy of the content of this size, generating it if necessary. @throws when another run uses it */
export async function openMarket(size: MarketSize): Promise<Market> {
  const dataDir = resolve(FOLDER, `market-${size.lessons}-${size.users}`)
  const filled = join(dataDir, `filled-${versionOfFill()}`)
  if (!existsSync(filled)) await rm(dataDir, { recursive: true, force: true })
  const original = await openBenchDatabase(dataDir)
  if (!existsSync(filled)) {
    await fill(original.client, size)
    await writeFile(filled, '')
  }
  const courses = await original.client.query<{ count: number }>(
    'select count(*)::int as count from courses',
  )
  await original.client.end()
  const admin = new pg.Client({ ...original.connection, database: 'postgres' })
  await admin.connect()
  await admin.query(`drop database if exists ${COPY} with (force)`)
  await admin.query(
    `create database ${COPY} template ${original.connection.database} strategy file_copy`,
  )
  await admin.end()
  const connection = { ...original.connection, database: COPY }
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(`update sessions set expires_at = now() + interval '30 days'`)
  await client.query('analyze')
  const [reader = '', ...buyers] = newcomersOf(size)
  return {
    ...original,
    connection,
    client,
    lessons: size.lessons,
    courses: courses.rows[0]?.count ?? 0,
    reader,
    buyers,
    stop: async () => {
      await client.end()
      await original.stop()
    },
  }
}

const newcomersOf = ({ users }: MarketSize) =>
  Array.from({ length: NEWCOMERS }, (_, place) => personId(SEED, users + 1 + place))

function versionOfFill(): string {
  const hash = createHash('sha1').update(readFileSync(import.meta.filename))
  for (const folder of [
    join(ROOT, 'scripts', 'seed'),
    join(ROOT, 'server', 'platform', 'db', 'migrations'),
  ]) {
    for (const file of readdirSync(folder).toSorted()) hash.update(readFileSync(join(folder, file)))
  }
  return hash.digest('hex').slice(0, 10)
}

/** Fills the search dictionary, which the product's job would do within an hour. */
async function fillWords(client: pg.Client): Promise<void> {
  await client.query('delete from search_due')
  for (const [kind, more] of [
    ['lesson', `|| ' ' || array_to_string(c.tags, ' ')`],
    ['course', ''],
  ] as const)
    await client.query(`
      insert into ${kind}_words (${kind}_id, words)
      select c.${kind}_id, array(
        select distinct word from regexp_split_to_table(lower(c.title || ' ' || c.description ${more}), '[^[:alnum:]]+') word
        where word <> ''
      ) from ${kind}_contents c on conflict do nothing`)
  await client.query(`
    insert into search_words (word)
    select unnest(words) from lesson_words union select unnest(words) from course_words
    on conflict do nothing`)
}

async function fill(client: pg.Client, size: MarketSize): Promise<void> {
  const needs = { client, passwordHash: 'none', hear: () => undefined }
  const content = { ...size, purchases: 1_000_000, likes: 600_000, comments: 200_000 }
  await fillSeed({ ...needs, isAdded: false }, { ...content, messages: 1000, seed: SEED })
  const none = { purchases: 0, likes: 0, comments: 0, messages: 0 }
  const newcomers = { lessons: 10, users: NEWCOMERS, ...none, seed: SEED }
  await fillSeed({ ...needs, isAdded: true }, newcomers)
  const ids = newcomersOf(size)
  await client.query(
    `insert into sessions (id, user_id, expires_at) select id, id, now() from unnest($1::uuid[]) id`,
    [ids],
  )
  await client.query(
    'update point_balances set net = 1000000000 where user_id = any ($1::uuid[])',
    [ids],
  )
  await client.query(
    `insert into lesson_purchases (user_id, lesson_id, price)
     select $1, n, 100 from generate_series(1, $2::int) n`,
    [ids[0], READ],
  )
  await client.query(
    `insert into comments (lesson_id, user_id, text, text_folded, prediction, confidence, language, judged_at)
     select n, id, 'What somebody had to say', 'what somebody had to say', 'NEUTRAL', 0.5, 'en', now()
     from generate_series(1, $1::int) n, unnest($2::uuid[]) id`,
    [READ, ids.slice(0, COMMENTS)],
  )
  await client.query(`update lessons set title_folded = '${RARE} ' || id where id % 10000 = 77`)
  await client.query(
    `update lesson_contents set title = '${RARE} ' || lesson_id where lesson_id % 10000 = 77`,
  )
  // The seed leaves most filter bands empty.
  const spread = (id: string) => `exp(abs(hashint8(${id})::bigint) % 1000 * 0.0108)::int`
  for (const table of ['lessons', 'courses'])
    await client.query(`update ${table} set likes = ${spread('id')}, comments = ${spread('-id')}`)
  await fillWords(client)
  await client.query('vacuum (analyze)')
}
