/** Recounts followers after a manual repair of the database. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/connect.ts'

/** Authors per transaction. */
const BATCH = 500

/** Authors whose stored number of followers is wrong. */
export const miscounted = sql<{ authorId: string }>`
  select coalesce(c.author_id, f.author_id) as "authorId"
  from follow_counts c full join (
    select author_id, count(*) as followers from follows group by author_id
  ) f using (author_id)
  where coalesce(c.followers, 0) <> coalesce(f.followers, 0)`

/** Recounts while people continue to follow. Returns the number of authors with a wrong count. */
export async function recountFollowers(db: Db): Promise<number> {
  let corrected = 0
  for (;;) {
    const batch = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ authorId: string }>`
        ${miscounted} limit ${sql.lit(BATCH)}`.execute(tx)
      const authors = rows.map(({ authorId }) => authorId).toSorted()
      // A concurrent follow waits for the row lock and then increments the new count.
      await sql`
        insert into follow_counts as c (author_id, followers) select unnest(${authors}::uuid[]), 0
        on conflict (author_id) do update set followers = c.followers`.execute(tx)
      await sql`
        update follow_counts c
        set followers = (select count(*) from follows f where f.author_id = c.author_id)
        where c.author_id = any(${authors}::uuid[])`.execute(tx)
      return rows.length
    })
    corrected += batch
    if (batch < BATCH) return corrected
  }
}
