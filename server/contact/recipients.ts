/** Who is written to: the owner of a lesson, found by the lesson or by an address. */
import { sql, type RawBuilder } from 'kysely'
import type { Locale } from '#contract/messages/messages.ts'
import { foldEmail } from '#server/accounts/claims.ts'
import type { Tx } from '#server/db/connect.ts'

export interface Recipient {
  readonly id: string
  readonly locale: Locale
  /** Where mails reach the person: while a change is unconfirmed, the address before it. */
  readonly address: string
  readonly confirmed: boolean
  /** What it is about. */
  readonly lesson: { readonly id: number; readonly title: string } | null
}

/** Letters to one person a UTC day; those beyond it go on one of the next. */
const MOST_A_DAY = 20
const DAY_MS = 24 * 60 * 60 * 1000

interface Row extends Omit<Recipient, 'lesson'> {
  readonly lessonId: number | null
  readonly title: string | null
}

const columns = sql`u.id, u.locale, coalesce(u.previous_email, u.email) as address,
  case when u.previous_email is null then u.email_confirmed_at else u.previous_email_confirmed_at end
    is not null as confirmed`

/** Null: no such lesson, or nobody who could read it. */
export function findOwnerOfLesson(tx: Tx, lessonId: number): Promise<Recipient | null> {
  return find(
    tx,
    sql`select ${columns}, l.id as "lessonId", c.title
      from lessons l join lesson_contents c on c.lesson_id = l.id join users u on u.id = l.owner_id
      where l.id = ${lessonId} and l.deleted_at is null and u.erased_at is null`,
  )
}

/** The owner of any lesson, by the address of today or the one that a change has not yet replaced. */
export function findOwnerByEmail(tx: Tx, email: string): Promise<Recipient | null> {
  const folded = foldEmail(email)
  return find(
    tx,
    sql`select ${columns}, null as "lessonId", null as title from users u
      where (u.email_folded = ${folded} or u.previous_email_folded = ${folded}) and u.erased_at is null
        and exists (select from lessons l where l.owner_id = u.id and l.deleted_at is null)`,
  )
}

async function find(tx: Tx, query: RawBuilder<unknown>): Promise<Recipient | null> {
  const { rows } = await sql<Row>`${query}`.execute(tx)
  const [row] = rows
  if (row === undefined) return null
  const { lessonId, title, ...person } = row
  return {
    ...person,
    lesson: lessonId === null || title === null ? null : { id: lessonId, title },
  }
}

/**
 * When the next letter to a person may go: at once, or on the first UTC day that has room. Those who write to one
 * person take turns until the transaction ends.
 */
export async function findSendingTime(tx: Tx, userId: string, now: Date): Promise<Date> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`letters to ${userId}`}, 0))`.execute(
    tx,
  )
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  const { count } = await tx
    .selectFrom('mails')
    .select((each) => each.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('kind', '=', 'letter')
    .where('send_after', '>=', new Date(today))
    .executeTakeFirstOrThrow()
  // Days fill one after the other, so that their sum tells the day.
  const days = Math.floor(count / MOST_A_DAY)
  return days === 0 ? now : new Date(today + days * DAY_MS)
}
