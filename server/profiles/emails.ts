/**
 * Whose e-mail a person is shown: those of at most 30 others an hour, administrators included, so that nobody
 * gathers addresses. It is counted in the database, because any node may answer.
 */
import { sql } from 'kysely'

const MOST_SHOWN = 30
const WINDOW_MS = 60 * 60 * 1000

/** Who looks, and when. */
export interface EmailLook {
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
 * Two parts of a `with` for a statement that has the part `person` (id, hide_email). `may_see` has a row when the
 * viewer may see the person's e-mail; a person seen within the hour counts once. Of two statements at one moment
 * that take the same of 30 places, one shows nothing; the next look does.
 */
export function emailParts({ viewerId, now, hourAgo }: EmailLook) {
  return sql`
    seen as (
      select person.id from person where person.id = ${viewerId} or not person.hide_email and exists (
        select from shown_emails s
        where s.viewer_id = ${viewerId} and s.shown_id = person.id and s.shown_at > ${hourAgo}
      )
    ), newly_seen as (
      insert into shown_emails (viewer_id, place, shown_id, shown_at)
      select ${viewerId}, free.place, person.id, ${now}
      from person cross join lateral (
        select places.place from generate_series(1, ${sql.lit(MOST_SHOWN)}) places(place)
        where not exists (
          select from shown_emails s
          where s.viewer_id = ${viewerId} and s.place = places.place and s.shown_at > ${hourAgo}
        )
        order by random() limit 1
      ) free
      where not person.hide_email and not exists (select from seen)
      on conflict (viewer_id, place) do update set shown_id = excluded.shown_id, shown_at = excluded.shown_at
        where shown_emails.shown_at <= ${hourAgo}
      returning shown_id
    ), may_see as (select id from seen union all select shown_id from newly_seen)`
}
