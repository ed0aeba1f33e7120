/** Counts what happened on a day besides the economy, for the desk's first page. */
import { sql, type RawBuilder } from 'kysely'
import type { DbOrTx } from '#server/platform/db/connect.ts'

/** People with a session that was used since the day began; a session in use is renewed four times an hour. */
const ACTIVE = sql<number>`(
  select count(distinct s.user_id) from sessions s, bounds
  where s.created_at < bounds.until and s.rotated_at >= bounds.since
)`

/** Jobs that were given up on the day and are still there. */
const FAILED_JOBS = sql<number>`(
  select count(*) from graphile_worker._private_jobs j, bounds
  where j.attempts >= j.max_attempts and j.locked_at is null
    and j.updated_at >= bounds.since and j.updated_at < bounds.until
)`

/**
 * Adds the numbers of a UTC day to its row, or counts them again. Active people and failed jobs are only known right
 * after the day, when it `isFresh`; a later count leaves them as they are.
 */
export async function countNumbers(db: DbOrTx, day: string, isFresh: boolean): Promise<void> {
  const ifFresh = (count: RawBuilder<number>, column: string) =>
    isFresh ? count : sql`d.${sql.ref(column)}`
  await sql`
    with bounds as (
      select ${day}::date::timestamp at time zone 'UTC' as since,
        (${day}::date + 1)::timestamp at time zone 'UTC' as until
    )
    update economy_days d set
      people = (
        select count(*) from users u, bounds
        where u.created_at < bounds.until and (u.erased_at is null or u.erased_at >= bounds.until)
      ),
      lessons = (
        select count(*) from lessons l, bounds where l.created_at >= bounds.since and l.created_at < bounds.until
      ),
      messages = (
        select count(*) from messages m, bounds where m.created_at >= bounds.since and m.created_at < bounds.until
      ),
      mails = (select count(*) from mails m, bounds where m.sent_at >= bounds.since and m.sent_at < bounds.until),
      active_people = ${ifFresh(ACTIVE, 'active_people')},
      failed_jobs = ${ifFresh(FAILED_JOBS, 'failed_jobs')}
    where d.day = ${day}::date`.execute(db)
}
