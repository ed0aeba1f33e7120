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
