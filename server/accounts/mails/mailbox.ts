/** Where the mails of a person go, for notices that others write. */
import { sql } from 'kysely'
import type { Locale } from '#contract/messages/messages.ts'
import type { DbOrTx } from '#server/db/connect.ts'
import type { Mailbox } from '#server/mail/outbox.ts'

/** While a change of the address is unconfirmed, the one before it. Null for who is not there, or no more. */
export async function findMailbox(
  db: DbOrTx,
  userId: string,
): Promise<(Mailbox & { readonly username: string }) | null> {
  const row = await db
    .selectFrom('users')
    .select([
      'id as userId',
      'username',
      sql<string>`coalesce(previous_email, email)`.as('address'),
      sql<Locale>`locale`.as('locale'),
    ])
    .where('id', '=', userId)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Of these people those who want mails that they could do without, at the address that they have confirmed: while a
 * change of it is unconfirmed the one before. Nothing goes to an address that nobody ever confirmed.
 */
export async function findWillingMailboxes(
  db: DbOrTx,
  userIds: readonly string[],
): Promise<(Mailbox & { readonly userId: string; readonly username: string })[]> {
  const { rows } = await sql<Mailbox & { userId: string; username: string }>`
    select id as "userId", username, locale, address from (
      select u.id, u.username, u.locale, case when u.email_confirmed_at is not null then u.email
        when u.previous_email_confirmed_at is not null then u.previous_email end as address
      from users u where u.id = any(${userIds}::uuid[]) and u.erased_at is null and u.notices
    ) willing where address is not null`.execute(db)
  return rows
}
