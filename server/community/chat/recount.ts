/** Recounts unread messages after manual changes of the database. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/connect.ts'

/** Conversations per transaction. */
const BATCH = 500

/**
 * Counts the messages that the person of the conversation `c` received in it, up to the recorded number of unread
 * ones.
 */
export const unreadAtMost = sql<number>`(
  select count(*) from (
    select from messages m
    where least(m.sender_id, m.receiver_id) = least(c.user_id, c.other_id)
      and greatest(m.sender_id, m.receiver_id) = greatest(c.user_id, c.other_id)
      and m.sender_id = c.other_id
    limit c.unread
  ) received
)`

/**
 * Lowers the unread count of conversations to the number of received messages. Nothing else records which messages
 * were read, so a count that is only too high stays. Returns how many were lowered.
 */
export async function lowerUnread(db: Db): Promise<number> {
  let lowered = 0
  for (;;) {
    const batch = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ userId: string; otherId: string }>`
        select c.user_id as "userId", c.other_id as "otherId" from conversations c
        where c.unread > 0 and c.unread > ${unreadAtMost} limit ${sql.lit(BATCH)} for no key update`.execute(
        tx,
      )
      await sql`
        update conversations c set unread = ${unreadAtMost}
        from unnest(${rows.map(({ userId }) => userId)}::uuid[], ${rows.map(({ otherId }) => otherId)}::uuid[])
          as given (user_id, other_id)
        where c.user_id = given.user_id and c.other_id = given.other_id`.execute(tx)
      return rows.length
    })
    lowered += batch
    if (batch < BATCH) return lowered
  }
}
