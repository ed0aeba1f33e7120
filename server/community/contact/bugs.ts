/** The only module that writes the table of problem reports. */
import { sql } from 'kysely'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import type { BugReport } from '#contract/mail.ts'
import { shownPerson } from '#server/people/accounts/answer.ts'
import { peopleNamed } from '#server/people/accounts/named.ts'
import { mentions } from '#server/platform/db/folded-search.ts'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { notFound } from '#server/kernel/errors.ts'
import { logAct } from '#server/people/moderation/log.ts'

export interface NewBug {
  /** Null for a guest. */
  readonly userId: string | null
  readonly senderEmail: string
  readonly topic: string
  readonly text: string
  readonly at: Date
}

/** Stores the report in the same transaction as its mail, so that neither exists alone. */
export async function insertBug(tx: Tx, bug: NewBug): Promise<void> {
  await tx
    .insertInto('bug_reports')
    .values({
      user_id: bug.userId,
      sender_email: bug.senderEmail,
      topic: bug.topic,
      text: bug.text,
      created_at: bug.at,
    })
    .execute()
}

/** Removes the address of a person whose account is erased from their reports. */
export async function forgetReporter(db: DbOrTx, userId: string): Promise<void> {
  await db
    .updateTable('bug_reports')
    .set({ sender_email: '' })
    .where('user_id', '=', userId)
    .execute()
}

interface BugRow {
  readonly id: number
  readonly senderEmail: string
  readonly user: string | null
  readonly userName: string | null
  readonly picture: string | null
  readonly topic: string
  readonly text: string
  readonly createdAt: Date
  readonly doneAt: Date | null
  readonly doneBy: string | null
}

/** Columns of `b` (bug_reports). */
const columns = sql`b.id, b.sender_email as "senderEmail", b.user_id as "user", u.username as "userName", p.key as picture,
  b.topic, b.text, b.created_at as "createdAt", b.done_at as "doneAt", d.username as "doneBy"`
const people = sql`left join users u on u.id = b.user_id left join pictures p on p.id = u.picture_id
  left join users d on d.id = b.done_by`

/** Returns open or closed reports, newest first. */
export async function listBugs(
  db: Db,
  query: { readonly done: boolean; readonly page: number; readonly search: string },
): Promise<BugReport[]> {
  const { done, page, search } = query
  const state = done ? sql`b.done_at is not null` : sql`b.done_at is null`
  const found =
    search.trim() === ''
      ? sql`true`
      : sql`(${mentions('b.topic', search)} or ${mentions('b.text', search)}
          or ${mentions('b.sender_email', search)} or b.user_id in (${peopleNamed(search)}))`
  const { rows } = await sql<BugRow>`
    select ${columns} from bug_reports b ${people} where ${state} and ${found}
    order by b.id desc limit ${ROWS_PER_PAGE} offset ${(page - 1) * ROWS_PER_PAGE}`.execute(db)
  return rows.map(toBugReport)
}

export interface Finish {
  readonly id: number
  readonly done: boolean
  readonly by: string
  readonly at: Date
}

/** Closes or reopens a report. Does nothing if it already is in that state. @throws Refusal 404 */
export function finishBug(db: Db, { id, done, by, at }: Finish): Promise<BugReport> {
  return db.transaction().execute(async (tx) => {
    const changed = await tx
      .updateTable('bug_reports')
      .set({ done_at: done ? at : null, done_by: done ? by : null })
      .where('id', '=', id)
      .where('done_at', done ? 'is' : 'is not', null)
      .returning(['topic', 'user_id'])
      .executeTakeFirst()
    if (changed !== undefined)
      await logAct(tx, {
        actorId: by,
        action: done ? 'bugDone' : 'bugReopened',
        subjectId: id,
        subject: changed.topic,
        personId: changed.user_id,
        at,
      })
    return findBug(tx, id)
  })
}

async function findBug(db: DbOrTx, id: number): Promise<BugReport> {
  const { rows } = await sql<BugRow>`
    select ${columns} from bug_reports b ${people} where b.id = ${id}`.execute(db)
  const [row] = rows
  if (row === undefined) throw notFound()
  return toBugReport(row)
}

function toBugReport({ createdAt, doneAt, doneBy, picture, ...row }: BugRow): BugReport {
  const { user, userName } = row
  const reporter = user === null || userName === null ? null : shownPerson(user, userName, picture)
  return {
    ...row,
    user: reporter?.id ?? null,
    profilePicture: reporter?.imageUrl ?? null,
    date: createdAt.toISOString(),
    done: doneAt === null ? null : { date: doneAt.toISOString(), userName: doneBy ?? '' },
  }
}

/** Days for which closed reports are stored. */
const SETTLED_DAYS = 365
const DAY_MS = 24 * 60 * 60 * 1000
/** Rows per run. The others follow a minute later. */
const MOST_CLEARED = 1000

/** Deletes old closed reports with the reporter's address and text. */
export async function clearSettledBugs(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - SETTLED_DAYS * DAY_MS)
  await sql`
    delete from bug_reports where id in (
      select id from bug_reports where done_at < ${before} order by done_at limit ${sql.lit(MOST_CLEARED)}
    ) and done_at < ${before}`.execute(db)
}
