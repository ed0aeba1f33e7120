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
  // A confirmation or erasure under way is waited for: a letter must not be held once it has let the others go.
  const { rows } = await sql<Row>`${query} for key share of u`.execute(tx)
  const [row] = rows
  if (row === undefined) return null
  const { lessonId, title, ...person } = row
  return {
    ...person,
    lesson: lessonId === null || title === null ? null : { id: lessonId, title },
  }
}
