/** Finds the mail addresses of people, for notices of other folders. */
import { sql } from 'kysely'
import type { Locale } from '#contract/messages/messages.ts'
import type { DbOrTx } from '#server/platform/db/connect.ts'
import type { Mailbox } from '#server/platform/mail/outbox.ts'

/**
 * Returns the previous address while a change is unconfirmed. Null for people who don't exist or have erased their
 * account.
 */
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
 * Returns those of these people who want optional mails, with their confirmed address: the previous one while a
 * change is unconfirmed. Leaves out addresses that nobody ever confirmed.
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
