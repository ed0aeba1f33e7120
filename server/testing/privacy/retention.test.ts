/** docs/privacy.md says what is stored of people and for how long; here it is held against the tables and the jobs. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type Person, type TestApp } from '#server/testing/app.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

let app: TestApp
let ann: Person
let lessonId: number
beforeAll(async () => {
  app = await createTestApp()
  ann = await app.signUp('ann')
  lessonId = (await app.publishLesson(ann)).id
})
afterAll(() => app.close())

const query = (text: string, values: readonly unknown[] = []) =>
  app.app.database.pool.query<Record<string, unknown>>(text, [...values])

/** The lines of the first table of the page, by the tables of the database that each names. */
async function readPage(): Promise<ReadonlyMap<string, string>> {
  const page = await readFile('docs/privacy.md', 'utf8')
  const lines = page.split('\n').filter((line) => /^\| `\w+`/.test(line))
  return new Map(
    lines.flatMap((line) => {
      const [, names = ''] = line.split('|')
      return [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, line] as const)
    }),
  )
}

/** Rows that end: how long they are known, in the words of the page, and how one is made whose time began at $1. */
interface Ending {
  readonly table: string
  readonly job: string
  readonly words: string
  /** After the moment that the row names. */
  readonly knownMs: number
  /** $1 the moment, $2 ann, $3 a new id, $4 the lesson. */
  readonly insert: string
}

const ENDINGS: readonly Ending[] = [
  {
    table: 'sessions',
    job: 'clearSignIns',
    words: 'until expires_at',
    knownMs: 0,
    insert: 'insert into sessions (id, user_id, expires_at) values ($3, $2, $1)',
  },
  {
    table: 'access_tokens',
    job: 'clearSignIns',
    words: '90 days after expires_at',
    knownMs: 90 * DAY_MS,
    insert: `insert into access_tokens (user_id, name, hash, scopes, created_at, expires_at)
      values ($2, 'a program', decode(md5($3::text), 'hex'), '{read}', $1, $1)`,
  },
  {
    table: 'account_tokens',
    job: 'clearSignIns',
    words: 'until expires_at',
    knownMs: 0,
    insert: `insert into account_tokens (id, user_id, kind, hash, expires_at)
      values ($3::uuid, $2, 'reset', decode(md5($3::uuid::text), 'hex'), $1)`,
  },
  {
    table: 'former_usernames',
    job: 'clearSignIns',
    words: 'free_at',
    knownMs: 0,
    insert: 'insert into former_usernames values ($3::text, $3::text, $2, $1)',
  },
  {
    table: 'passkey_challenges',
    job: 'clearSignIns',
    words: 'until expires_at',
    knownMs: 0,
    insert: `insert into passkey_challenges (challenge, purpose, user_id, expires_at)
      values (decode(md5($3::text), 'hex'), 'add', $2, $1)`,
  },
  {
    table: 'oidc_flows',
    job: 'clearSignIns',
    words: 'until expires_at',
    knownMs: 0,
    insert: `insert into oidc_flows (id, issuer, user_id, nonce, verifier, next, expires_at)
      values (decode(md5($3::text), 'hex'), 'https://issuer.example', $2, 'n', 'v', '/', $1)`,
  },
  {
    table: 'login_failures',
    job: 'clearSignIns',
    words: '1 hour',
    knownMs: HOUR_MS,
    insert: 'insert into login_failures (subject, failures, last_at) values ($3::text, 1, $1)',
  },
  {
    table: 'letter_attempts',
    job: 'clearLetterAttempts',
    words: '1 hour',
    knownMs: HOUR_MS,
    insert: 'insert into letter_attempts (subject, at) values ($3::text, $1)',
  },
  {
    table: 'mails',
    job: 'forgetMails',
    words: '90 days',
    knownMs: 90 * DAY_MS,
    insert: `insert into mails (message_id, kind, state, user_id, address, subject, created_at)
      values ($3::text, 'notice', 'sent', $2, 'ann@people.example', 'hello', $1)`,
  },
  {
    table: 'lesson_drafts',
    job: 'clearDrafts',
    words: '365 days',
    knownMs: 365 * DAY_MS,
    insert: `insert into lesson_drafts (owner_id, draft_id, lesson_id, rewarded, created_at)
      values ($2, $3, $4, false, $1)`,
  },
  {
    table: 'comments',
    job: 'clearSettled',
    words: '31 days after deletion',
    knownMs: 31 * DAY_MS,
    insert: `insert into comments (lesson_id, user_id, text, draft_id, deleted_at, deleted_by)
      values ($4, $2, 'taken back again', $3, $1, $2)`,
  },
  {
    table: 'flags',
    job: 'clearSettled',
    words: '365 days',
    knownMs: 365 * DAY_MS,
    insert: `insert into flags (reporter_id, kind, subject_id, text, closed_at, closed_by)
      values ($2, 'profile', $3::text, 'dealt with', $1, $2)`,
  },
  {
    table: 'bug_reports',
    job: 'clearSettled',
    words: '365 days',
    knownMs: 365 * DAY_MS,
    insert: `insert into bug_reports (user_id, sender_email, topic, text, done_at, done_by)
      values ($2, 'ann@people.example', left($3::text, 20), 'It works again, thank you for that', $1, $2)`,
  },
  {
    table: 'webhook_events',
    job: 'clearWebhooks',
    words: '30 days',
    knownMs: 30 * DAY_MS,
    insert: `insert into webhook_events (id, type, data, people, happened_at)
      values ($3, 'comment.created', '{}', array[$2::uuid], $1)`,
  },
]

test('every table has its line, and there is no line without a table', async () => {
  const { rows } = await query(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const page = await readPage()
  expect([...page.keys()].toSorted()).toEqual(rows.map(({ name }) => name))
  for (const line of page.values())
    expect(line.split('|').filter((cell) => cell.trim() !== '')).toHaveLength(4)
})

test.each(ENDINGS)(
  '$table: what is over goes with $job, and what is not stays',
  async ({ table, job, words, knownMs, insert }) => {
    expect((await readPage()).get(table)).toContain(words)
    await query(`delete from ${table}`)
    const now = Date.now()
    const uses = (place: number) => insert.includes(`$${place}`)
    for (const at of [now - knownMs - HOUR_MS, now - knownMs + HOUR_MS]) {
      const given = [new Date(at), ann.session._id, randomUUID(), lessonId]
      // PostgreSQL wants a type for each parameter, and finds none for those that a statement does not use.
      const order = [1, 2, 3, 4].filter(uses)
      const text = order.reduce(
        (whole, place, index) => whole.replaceAll(`$${place}`, `$#${index + 1}`),
        insert,
      )
      await query(
        text.replaceAll('$#', '$'),
        order.map((place) => given[place - 1]),
      )
    }
    expect((await query(`select from ${table}`)).rowCount).toBe(2)
    await query('select graphile_worker.add_job($1)', [job])
    await app.runJobs()
    expect((await query(`select from ${table}`)).rowCount).toBe(1)
  },
)
