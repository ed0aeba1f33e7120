/**
 * Limits whose e-mail addresses a person sees to 30 others per hour, including for administrators, to prevent
 * scraping. The database counts them, because the person's requests may go to different nodes.
 */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/connect.ts'

const MOST_SHOWN = 30
const WINDOW_MS = 60 * 60 * 1000

type EmailLook = {
  readonly viewerId: string
  readonly now: Date
  /** The result of `hourBefore`. */
  readonly hourAgo: Date
}

/** Returns the start of the counted period. */
export function hourBefore(now: Date): Date {
  return new Date(now.getTime() - WINDOW_MS)
}

/**
 * SQL for whether the viewer may see the e-mail of `person` (id, hide_email) without using up the limit: their
 * own, or one seen within the hour. Read-only, so that a replica can run it.
 */
export function hasSeenEmail({ viewerId, hourAgo }: Omit<EmailLook, 'now'>) {
  return sql<boolean>`(person.id = ${viewerId} or not person.hide_email and exists (
    select from shown_emails s
    where s.viewer_id = ${viewerId} and s.shown_id = person.id and s.shown_at > ${hourAgo}
  ))`
}

/**
 * Counts a person's e-mail towards the viewer's limit of 30, on the primary, and returns it. Returns null if it is
 * hidden or the limit is reached. A person seen within the hour counts once. If two concurrent requests take the
 * same slot, one shows nothing; the next request does.
 */
export async function showEmail(
  db: Db,
  { viewerId, now, hourAgo, shownId }: EmailLook & { readonly shownId: string },
): Promise<string | null> {
  const { rows } = await sql<{ email: string }>`with person as (
      select u.id, u.email, u.hide_email from users u
      where u.id = ${shownId} and not u.hide_email and u.erased_at is null
    ), seen as (
      select person.id from person where ${hasSeenEmail({ viewerId, hourAgo })}
    ), newly_seen as (
      insert into shown_emails (viewer_id, place, shown_id, shown_at)
      select ${viewerId}::uuid, free.place, person.id, ${now}::timestamptz
      from person cross join lateral (
        select places.place from generate_series(1, ${sql.lit(MOST_SHOWN)}) places(place)
        where not exists (
          select from shown_emails s
          where s.viewer_id = ${viewerId} and s.place = places.place and s.shown_at > ${hourAgo}
        )
        order by random() limit 1
      ) free
      where not exists (select from seen)
      on conflict (viewer_id, place) do update set shown_id = excluded.shown_id, shown_at = excluded.shown_at
        where shown_emails.shown_at <= ${hourAgo}
      returning shown_id
    )
    select person.email from person
    where exists (select from seen) or exists (select from newly_seen)`.execute(db)
  return rows[0]?.email ?? null
}
