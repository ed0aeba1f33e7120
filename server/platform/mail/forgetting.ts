/** Removes the mails of people whose accounts are erased. */
import { sql, type RawBuilder } from 'kysely'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'

/**
 * Withdraws unsent mails from the person's addresses, except those that other signed-in people sent under these.
 */
export async function forgetWriter(
  tx: Tx,
  { userId, addresses }: { readonly userId: string; readonly addresses: readonly string[] },
): Promise<void> {
  const written = addresses.map((address) => address.toLowerCase())
  await forget(
    tx,
    sql`lower(reply_to) = any(${written}::text[]) and reply_to is not null
      and coalesce(sender_id, ${userId}) = ${userId}`,
  )
}

/** Stops all mails to and from the person, and removes the traces of those already sent. */
export async function forgetMailsOf(db: DbOrTx, userId: string): Promise<void> {
  await forget(db, sql`sender_id = ${userId}`)
  await sql`
    update mails set address = '', subject = '', text = null, notice = null, last_error = null,
      state = case when state = 'sent' then state else 'dropped' end
    where user_id = ${userId}`.execute(db)
}

/** Keeps the rows for accounting, without texts and without the writer's address. */
async function forget(db: DbOrTx, which: RawBuilder<unknown>): Promise<void> {
  await sql`
    update mails set reply_to = null, text = null,
      state = case when state = 'sent' then state else 'dropped' end
    where ${which}`.execute(db)
}
