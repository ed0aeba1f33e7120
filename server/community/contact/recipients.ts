/** Finds the owner of a lesson by the lesson or by an address. */
import { sql, type RawBuilder } from 'kysely'
import type { Locale } from '#contract/messages/messages.ts'
import { foldEmail } from '#server/people/accounts/claims.ts'
import type { Tx } from '#server/platform/db/connect.ts'

export interface Recipient {
  readonly id: string
  readonly locale: Locale
  /** The address that receives mail, which is the previous one while a change is unconfirmed. */
  readonly address: string
  readonly confirmed: boolean
  /** The lesson that the letter is about. */
  readonly lesson: { readonly id: number; readonly title: string } | null
}

interface Row extends Omit<Recipient, 'lesson'> {
  readonly lessonId: number | null
  readonly title: string | null
}

const columns = sql`u.id, u.locale, coalesce(u.previous_email, u.email) as address,
  case when u.previous_email is null then u.email_confirmed_at else u.previous_email_confirmed_at end
    is not null as confirmed`

/** Returns null if there is no such lesson or its owner can't receive mail. */
export function findOwnerOfLesson(tx: Tx, lessonId: number): Promise<Recipient | null> {
  return find(
    tx,
    sql`select ${columns}, l.id as "lessonId", c.title
      from lessons l join lesson_contents c on c.lesson_id = l.id join users u on u.id = l.owner_id
      where l.id = ${lessonId} and l.deleted_at is null and u.erased_at is null`,
  )
}

/**
 * Finds the owner of any lesson by the current address, or by the one that an unconfirmed change would replace.
 */
export function findOwnerByEmail(tx: Tx, email: string): Promise<Recipient | null> {
  const folded = foldEmail(email)
  return find(
    tx,
    sql`select ${columns}, null::bigint as "lessonId", null as title from users u
      where (u.email_folded = ${folded} or u.previous_email_folded = ${folded}) and u.erased_at is null
        and exists (select from lessons l where l.owner_id = u.id and l.deleted_at is null)`,
  )
}

async function find(tx: Tx, query: RawBuilder<unknown>): Promise<Recipient | null> {
  // Waits for a concurrent confirmation or erasure: confirming releases held letters, so a letter held afterwards
  // would never be sent.
  const { rows } = await sql<Row>`${query} for key share of u`.execute(tx)
  const [row] = rows
  if (row === undefined) return null
  const { lessonId, title, ...person } = row
  return {
    ...person,
    lesson: lessonId === null || title === null ? null : { id: lessonId, title },
  }
}
