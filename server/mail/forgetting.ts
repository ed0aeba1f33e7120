/** What the outbox forgets of a person whose account is erased. */
import { sql, type RawBuilder } from 'kysely'
import type { DbOrTx, Tx } from '#server/db/connect.ts'

/** Takes back what waits to go out under their addresses, but for what others signed in sent under these. */
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

/** No mail goes to or comes from the person any more, and none says that it went to them. */
export async function forgetMailsOf(db: DbOrTx, userId: string): Promise<void> {
  await forget(db, sql`sender_id = ${userId}`)
  await sql`
    update mails set address = '', subject = '', text = null, notice = null, last_error = null,
      state = case when state = 'sent' then state else 'dropped' end
    where user_id = ${userId}`.execute(db)
}

/** Their lines stay for the books, without a text and without an address of the writer. */
async function forget(db: DbOrTx, which: RawBuilder<unknown>): Promise<void> {
  await sql`
    update mails set reply_to = null, text = null,
      state = case when state = 'sent' then state else 'dropped' end
    where ${which}`.execute(db)
}
