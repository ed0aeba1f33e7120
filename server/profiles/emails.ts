/**
 * Whose e-mail a person is shown: those of at most 30 others an hour, administrators included, so that nobody
 * gathers addresses. It is counted in the database, because any node may answer.
 */
import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'

const MOST_SHOWN = 30
const WINDOW_MS = 60 * 60 * 1000

/** Who looks, and when. */
type EmailLook = {
  readonly viewerId: string
  readonly now: Date
  /** Of `hourBefore`. */
  readonly hourAgo: Date
}

/** From when on a look still counts. */
export function hourBefore(now: Date): Date {
  return new Date(now.getTime() - WINDOW_MS)
}

/**
 * Whether the viewer may see the e-mail of `person` (id, hide_email) without a further place: their own, and that of
 * somebody whose they saw within the hour. It only reads, so a replica can answer it.
 */
export function hasSeenEmail({ viewerId, hourAgo }: Omit<EmailLook, 'now'>) {
  return sql<boolean>`(person.id = ${viewerId} or not person.hide_email and exists (
    select from shown_emails s
    where s.viewer_id = ${viewerId} and s.shown_id = person.id and s.shown_at > ${hourAgo}
  ))`
}

/**
 * Takes one of the viewer's 30 places for a person's e-mail, on the primary, and answers the e-mail; null when it is
 * hidden or no place is free. A person seen within the hour counts once. Of two looks at one moment that take the same
 * place, one shows nothing; the next look does.
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
