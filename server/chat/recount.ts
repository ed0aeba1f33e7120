/** Counts what is unread again, for a database that was mended by hand. */
import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'

/** Conversations in one transaction. */
const BATCH = 500

/** How many messages the person of the conversation `c` was sent in it, up to those that it says are unread. */
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
 * Lowers what conversations say is unread to what their persons were sent. Which messages were read is stored nowhere
 * else, so that a number which is merely too high stays. Answers how many were lowered.
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
