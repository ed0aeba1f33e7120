/** Creates the past notices of demo people. All but the most recent are read. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/connect.ts'
import { createEvents } from '#server/platform/events/events.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { dispatchEvents } from '#server/platform/events/dispatching.ts'
import { isAnythingDue } from '#server/platform/events/outbox.ts'
import { settleNotices } from '#server/community/notices/settling.ts'

/** Older notices are read. */
const UNREAD_DAYS = 4
/** Items published longer ago create no notice for followers. */
const NEWS_DAYS = 14
const KEPT_DAYS = 90

/**
 * Settles everything that happened. It reaches no webhooks, and schedules no mails, because nobody would read them.
 */
export async function tellPast({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const now = clock.now()
  await sql`
    delete from events
    where happened_at < ${now}::timestamptz - make_interval(days => case when type like '%.published' then ${sql.lit(NEWS_DAYS)} else ${sql.lit(KEPT_DAYS)} end)`.execute(
    db,
  )
  const needs = { db, clock, events: createEvents({ error: () => {} }) }
  do await dispatchEvents(needs, [settleNotices])
  while (await isAnythingDue(db, now))
  await sql`
    update notices set noticed_at = happened_at, read_at = case
      when happened_at < ${now}::timestamptz - ${sql.lit(`${UNREAD_DAYS} days`)}::interval then happened_at end
    where noticed_at > happened_at + interval '1 hour'`.execute(db)
  await sql`update notice_digests set next_at = null`.execute(db)
}
