/**
 * Fills a database by set-based SQL: people, lessons in plausible numbers, buyers with points. What stands in a
 * row follows from its number, so that two runs have the same content.
 */
import { createHash } from 'node:crypto'
import type pg from 'pg'

/** Half of all titles end in this. */
export const COMMON = 'basics'
/** One title in ten thousand begins with this; no other has its letters in a row. */
export const RARE = 'zither'
/** In no title: 1, 2, 3 and more letters. */
export const ABSENT = ['q', 'qx', 'qxw', 'qxwvu'] as const
const AUTHORS = 2000
const PICTURES = 400

const TOPICS = [
  'Guitar',
  'Algebra',
  'Cooking',
  'Drawing',
  'Spanish',
  'Python',
  'Garden',
  'History',
  'Knots',
  'Chess',
  'Sewing',
  'Poetry',
  'Physics',
  'Cycling',
  'Origami',
  'Singing',
  'Bread',
  'Piano',
  'Photo',
  'Botany',
  'Grammar',
  'Statics',
  'Pottery',
  'Swim',
  'Sketch',
  'Latin',
  'Vectors',
  'Optics',
  'Camping',
  'Weaving',
  'Уроци',
  'Готварство',
  'Алгебра',
  'Китара',
  'Рисуване',
  'Плетене',
  'Градина',
  'Народно',
  'Тесто',
  'Оптика',
]
const KINDS = [
  'at home',
  'step 1',
  'for all',
  'by ear',
  'today',
  'лесно',
  'за теб',
  'in depth',
  'live',
  'course',
]

/** The id of author `n`, from 1. */
export function authorId(n: number): string {
  const hex = createHash('md5').update(`author${n}`).digest('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Creates the authors and pictures that the lessons belong to. */
export async function fillPeople(client: pg.Client): Promise<void> {
  await insertUsers(client, 'author', AUTHORS)
  // Their shares of what is bought go there.
  await client.query(
    `insert into point_balances (user_id) select md5('author' || n)::uuid from generate_series(1, $1::int) n`,
    [AUTHORS],
  )
  await client.query(
    `insert into pictures (key, width, height, placeholder)
     select substr(encode(sha256(n::text::bytea), 'hex'), 1, 40), 1280, 720, '#0e5f49' from generate_series(1, $1::int) n`,
    [PICTURES],
  )
}

async function insertUsers(client: pg.Client, kind: string, count: number): Promise<void> {
  await client.query(
    `insert into users (id, username, username_skeleton, username_folded, name_folded, email, email_folded, email_confirmed_at, password_hash)
     select md5($1 || n)::uuid, name, name, name, name, name || '@people.example', name || '@people.example', now(), 'none'
     from (select n, $1 || n as name from generate_series(1, $2::int) n) people`,
    [kind, count],
  )
}

/** The title of item `n` with its `hash`. */
export const titleSql = `case when n % 10000 = 77 then '${RARE} ' || n % 1000 else
  (${arraySql(TOPICS)})[1 + hash % ${TOPICS.length}] || ' ' ||
  case when n % 2 = 0 then '${COMMON}' else (${arraySql(KINDS)})[1 + (hash >> 4) % ${KINDS.length}] end end`
const NUMBERS = `(select n, abs(hashint8(n)::bigint) as hash from generate_series($1::int, $2::int) n) numbers`

function arraySql(words: readonly string[]): string {
  return `array[${words.map((word) => `'${word}'`).join(', ')}]`
}

/** A count: a tenth at 0, each band of the filter chips well filled. */
export function countSql(hash: string, seed: string): string {
  return `(case when (${hash}) % 10 = 0 then 0 when (${hash}) % 10 < 5 then 1 + (${seed}) % 99
    when (${hash}) % 10 < 8 then 100 + (${seed}) % 900 else 1000 + (${seed}) % 49000 end)::integer`
}

/** Adds lessons with the ids from..to. */
export async function fillLessons(client: pg.Client, from: number, to: number): Promise<void> {
  const indexes = to - from > 20_000 ? await dropIndexes(client) : []
  await client.query(
    `insert into lessons (id, owner_id, title_folded, views, likes, comments, created_at) overriding system value
     select n, md5('author' || (1 + (hash >> 3) % ${AUTHORS}))::uuid, lower(${titleSql}),
       ${countSql('hash', 'n')}, ${countSql('hash >> 5', 'n * 3')}, ${countSql('hash >> 9', 'n * 5')},
       timestamptz '2026-01-01' + n * interval '10 seconds'
     from ${NUMBERS}`,
    [from, to],
  )
  await client.query(
    `insert into lesson_contents (lesson_id, title, description, tags, picture_id, video_id, article, article_minutes)
     select n, ${titleSql}, 'What one needs to begin, and where to go on', array['tag' || hash % 500, 'learning'],
       case when hash % 5 > 0 then (select min(id) from pictures) + hash % ${PICTURES} end, substr(md5(n::text), 1, 11),
       '<p>' || repeat('Words that say how it is done, and <strong>why</strong>. ', case when n <= 100000 then 12 else 2 end) || '</p>', 1
     from ${NUMBERS}`,
    [from, to],
  )
  for (const definition of indexes) await client.query(definition)
  await client.query(`select setval(pg_get_serial_sequence('lessons', 'id'), $1)`, [to])
  await client.query('vacuum (analyze) lessons, lesson_contents, users, pictures')
}

/** Indexes are made faster at the end than row by row. Answers their definitions. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ indexname: string; indexdef: string }>(
    `select indexname, indexdef from pg_indexes where tablename = 'lessons' and indexname <> 'lessons_pkey'`,
  )
  for (const { indexname } of rows) await client.query(`drop index ${indexname}`)
  await client.query(`set maintenance_work_mem = '512MB'`)
  return rows.map((row) => row.indexdef)
}

export interface Buyer {
  readonly userId: string
  readonly sessionId: string
}

/** People who own nothing and can buy for long, each with a session. */
export async function fillBuyers(
  client: pg.Client,
  count: number,
  kind = 'buyer',
): Promise<Buyer[]> {
  await insertUsers(client, kind, count)
  await client.query(
    `insert into point_balances (user_id, net) select md5($1 || n)::uuid, 1000000000 from generate_series(1, $2::int) n`,
    [kind, count],
  )
  const { rows } = await client.query<Buyer>(
    `insert into sessions (id, user_id, expires_at)
     select md5('session of ' || $1 || n)::uuid, md5($1 || n)::uuid, now() + interval '30 days' from generate_series(1, $2::int) n
     returning user_id as "userId", id as "sessionId"`,
    [kind, count],
  )
  return rows
}
