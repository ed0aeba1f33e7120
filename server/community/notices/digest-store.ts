/** Schedules the daily mails. */
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { nextDigestAt } from '#server/community/notices/digest-times.ts'

/** Schedules the next daily mail for people who have none scheduled. */
export async function planDigests(tx: Tx, people: readonly string[], now: Date): Promise<void> {
  const ids = [...new Set(people)]
  if (ids.length === 0) return
  const { rows } = await sql<{ userId: string; zone: string | null; last: Date | null }>`
    select asked.id as "userId", d.zone, d.last_at as last
    from unnest(${ids}::uuid[]) asked (id) left join notice_digests d on d.user_id = asked.id
    where d.next_at is null`.execute(tx)
  const times = rows.map(({ zone, last }) => nextDigestAt(zone ?? 'UTC', now, last))
  await sql`
    insert into notice_digests (user_id, next_at)
    select user_id, next_at from unnest(${rows.map(({ userId }) => userId)}::uuid[], ${times}::timestamptz[])
      due (user_id, next_at) order by user_id
    on conflict (user_id) do update set next_at = coalesce(notice_digests.next_at, excluded.next_at)`.execute(
    tx,
  )
}

/** Stores a person's time zone and reschedules the pending mail. A browser's zone never replaces a chosen one. */
export async function writeZone(
  tx: Tx,
  userId: string,
  { zone, isChosen }: { readonly zone: string; readonly isChosen: boolean },
  now: Date,
): Promise<void> {
  const { rows } = await sql<{ next_at: Date | null; last_at: Date | null }>`
    insert into notice_digests (user_id, zone, zone_chosen) values (${userId}, ${zone}, ${isChosen})
    on conflict (user_id) do update set zone = excluded.zone, zone_chosen = excluded.zone_chosen
    where excluded.zone_chosen or not notice_digests.zone_chosen
    returning next_at, last_at`.execute(tx)
  const planned = rows[0]
  if (planned === undefined || planned.next_at === null || planned.next_at <= now) return
  await sql`
    update notice_digests set next_at = ${nextDigestAt(zone, now, planned.last_at)}
    where user_id = ${userId}`.execute(tx)
}

/** Returns to the browser's time zone. */
export async function unchooseZone(tx: Tx, userId: string): Promise<void> {
  await sql`update notice_digests set zone_chosen = false where user_id = ${userId}`.execute(tx)
}

/** For an erased account. */
export async function forgetDigests(db: DbOrTx, userId: string): Promise<void> {
  await sql`delete from notice_digests where user_id = ${userId}`.execute(db)
}
