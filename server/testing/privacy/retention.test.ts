/** Compares the retention periods in docs/privacy.md with the tables and jobs. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openTestApp } from '#server/testing/setup.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

const app = await openTestApp()
const ann = await app.signUp('ann')
await app.signUp('bob')
const lessonId = (await app.publishLesson(ann)).id
const courseId = (await app.publishCourse(ann)).id

const query = (text: string, values: readonly unknown[] = []) =>
  app.app.database.pool.query<Record<string, unknown>>(text, [...values])

/** A duration in minutes, hours or days. */
const TIME = /\b(?:\d+|an?|one|two|five) (?:minutes?|hours?|days?)\b/g

/** Returns the rows of the page by the database tables they name. */
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

/** A retention rule: its period in the page's words, and an insert of a row whose period starts at $1. */
interface Ending {
  readonly table: string
  readonly job: string
  readonly words: string
  /** Measured from the time in the row. */
  readonly knownMs: number
  /** $1 is the time, $2 Ann, $3 a new id, $4 the lesson, $5 the course. */
  readonly insert: string
}

const ENDINGS: readonly Ending[] = [
  {
    table: 'sessions',
    job: 'clearSignIns',
    words: 'until they expire',
    knownMs: 0,
    insert: 'insert into sessions (id, user_id, expires_at) values ($3, $2, $1)',
  },
  {
    table: 'access_tokens',
    job: 'clearSignIns',
    words: '90 days after they expire',
    knownMs: 90 * DAY_MS,
    insert: `insert into access_tokens (user_id, name, hash, scopes, created_at, expires_at)
      values ($2, 'a program', decode(md5($3::text), 'hex'), '{read}', $1, $1)`,
  },
  {
    table: 'invitations',
    job: 'clearSignIns',
    words: '90 days after they end',
    knownMs: 90 * DAY_MS,
    insert: `insert into invitations (hash, inviter_id, uses, created_at, expires_at)
      values (decode(md5($3::text), 'hex'), $2, 1, $1, $1)`,
  },
  {
    table: 'account_tokens',
    job: 'clearSignIns',
    words: 'until they expire',
    knownMs: 0,
    insert: `insert into account_tokens (id, user_id, kind, hash, expires_at)
      values ($3::uuid, $2, 'reset', decode(md5($3::uuid::text), 'hex'), $1)`,
  },
  {
    table: 'former_usernames',
    job: 'clearSignIns',
    words: '180 days after the change',
    knownMs: 0,
    insert: 'insert into former_usernames values ($3::text, $3::text, $2, $1)',
  },
  {
    table: 'passkey_challenges',
    job: 'clearSignIns',
    words: 'until they expire',
    knownMs: 0,
    insert: `insert into passkey_challenges (challenge, purpose, user_id, expires_at)
      values (decode(md5($3::text), 'hex'), 'add', $2, $1)`,
  },
  {
    table: 'oidc_flows',
    job: 'clearSignIns',
    words: 'until they expire',
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
    table: 'course_drafts',
    job: 'clearDrafts',
    words: '365 days',
    knownMs: 365 * DAY_MS,
    insert: `insert into course_drafts (owner_id, draft_id, course_id, rewarded, created_at)
      values ($2, $3, $5, false, $1)`,
  },
  {
    table: 'item_drafts',
    job: 'clearDrafts',
    words: '365 days',
    knownMs: 365 * DAY_MS,
    insert: `insert into item_drafts (user_id, form, kind, version, content, title, files, saved_at)
      values ($2, 'lesson-new-' || $3::text, 'lesson', 1, '{}', '', '{}', $1)`,
  },
  {
    table: 'ratings',
    job: 'clearSettled',
    words: '31 days after it',
    knownMs: 31 * DAY_MS,
    insert: `insert into ratings (lesson_id, user_id, stars, created_at, deleted_at)
      values ($4, $2, 4, $1, $1)`,
  },
  {
    table: 'comments',
    job: 'clearSettled',
    words: '31 days after deletion',
    knownMs: 31 * DAY_MS,
    insert: `insert into comments (lesson_id, user_id, text, text_folded, draft_id, deleted_at, deleted_by)
      values ($4, $2, 'taken back again', 'taken back again', $3, $1, $2)`,
  },
  {
    table: 'ratings',
    job: 'clearSettled',
    words: 'those of moderators 211 days',
    knownMs: 211 * DAY_MS,
    insert: `insert into ratings (lesson_id, user_id, stars, created_at, deleted_at, deleted_by)
      values ($4, $2, 4, $1, $1, (select id from users where id <> $2 limit 1))`,
  },
  {
    table: 'comments',
    job: 'clearSettled',
    words: 'those of moderators 211 days',
    knownMs: 211 * DAY_MS,
    insert: `insert into comments (lesson_id, user_id, text, text_folded, draft_id, deleted_at, deleted_by)
      values ($4, $2, 'an insult to all', 'an insult to all', $3, $1, (select id from users where id <> $2 limit 1))`,
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
    table: 'lesson_fingerprints',
    job: 'clearSettled',
    words: '90 days after an edit or deletion',
    knownMs: 90 * DAY_MS,
    insert: `insert into lesson_fingerprints (lesson_id, author_id, video_id, shingles, bands, published_at, gone_at)
      values ($4, $2, $3::text, '{}', '{}', $1, $1)`,
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

/** Periods that another test checks: the row of the page, its words, and the file of the test. */
const HELD_ELSEWHERE: readonly (readonly [line: string, words: string, file: string])[] = [
  ['lesson_views', '2 days', 'server/items/lessons/views.test.ts'],
  ['owner_view_days', '8 days', 'server/home/stall.test.ts'],
  ['item_days', '730 days', 'server/items/figures/figures.test.ts'],
  ['item_months', '730 days', 'server/items/figures/figures.test.ts'],
  ['author_days', '730 days', 'server/items/figures/figures.test.ts'],
  ['missed_terms', '365 days', 'server/items/figures/figures.test.ts'],
  ['events', 'five minutes', 'server/community/notices/notices.test.ts'],
  ['notices', '90 days', 'server/community/notices/notices.test.ts'],
  ['item_drafts', 'a day', 'server/items/drafts/drafts.test.ts'],
  ['pictures', 'an hour', 'server/platform/files/picture-life.test.ts'],
  ['uploads', 'a day', 'server/platform/files/resources.test.ts'],
  ['restorable_items', '210 days', 'server/operate/appeals/retention.test.ts'],
  ['restorable_items', '30 days', 'server/operate/appeals/retention.test.ts'],
  ['comments', '30 days', 'server/operate/appeals/retention.test.ts'],
  ['ratings', '30 days', 'server/operate/appeals/retention.test.ts'],
  ['flags', '30 days', 'server/operate/appeals/retention.test.ts'],
  ['data_exports', '7 days', 'server/operate/exports/exports.test.ts'],
  ['webhook_deliveries', '30 days', 'server/operate/webhooks/webhooks.test.ts'],
  ['audit_runs', '90 days', 'server/operate/audit/nightly.test.ts'],
  ['replica_beats', 'a day', 'server/testing/replica.slow.test.ts'],
  ['Redis, when there is one', 'a minute', 'server/platform/nodes/shared-rate.test.ts'],
]

test('every table has a row on the page, and every row a table', async () => {
  const { rows } = await query(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const page = await readPage()
  expect([...page.keys()].toSorted()).toEqual(rows.map(({ name }) => name))
  for (const line of page.values())
    expect(line.split('|').filter((cell) => cell.trim() !== '')).toHaveLength(3)
})

/** Returns every period of the page, named by the first cell of its row or else by the line. */
async function readTimes(): Promise<readonly (readonly [name: string, time: string])[]> {
  const page = await readFile('docs/privacy.md', 'utf8')
  return page.split('\n').flatMap((line) => {
    const isRow = line.startsWith('|')
    const cells = line.split('|').map((cell) => cell.trim())
    const [, first = ''] = cells
    const names = [...first.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
    if (names.length === 0) names.push(isRow ? first : line)
    const times = [...(isRow ? (cells.at(-2) ?? '') : line).matchAll(TIME)].map(([time]) => time)
    return names.flatMap((name) => times.map((time) => [name, time] as const))
  })
}

test('every period on the page is tested here, or by another test', async () => {
  const held = [
    ...ENDINGS.map(({ table, words }) => [table, words] as const),
    ...HELD_ELSEWHERE.map(([line, words]) => [line, words] as const),
  ]
  const times = await readTimes()
  const isHeld = (name: string, time: string) =>
    held.some(([line, words]) => line === name && words.includes(time))
  expect(times.filter(([name, time]) => !isHeld(name, time))).toEqual([])
  for (const [line, words, file] of HELD_ELSEWHERE) {
    expect(times).toContainEqual([line, words])
    expect([file, existsSync(file)]).toEqual([file, true])
  }
})

test.each(ENDINGS)(
  '$table: $job deletes expired rows and no others',
  async ({ table, job, words, knownMs, insert }) => {
    expect((await readPage()).get(table)).toContain(words)
    await query(`delete from ${table}`)
    const now = Date.now()
    for (const at of [now - knownMs - HOUR_MS, now - knownMs + HOUR_MS]) {
      const given = [new Date(at).toISOString(), ann.session._id, randomUUID(), lessonId, courseId]
      // As literals, because PostgreSQL can't infer a type for parameters that a statement doesn't use.
      await query(insert.replaceAll(/\$(\d)/g, (_, place) => `'${given[Number(place) - 1]}'`))
    }
    expect((await query(`select from ${table}`)).rowCount).toBe(2)
    await query('select graphile_worker.add_job($1)', [job])
    await app.runJobs()
    expect((await query(`select from ${table}`)).rowCount).toBe(1)
  },
)
