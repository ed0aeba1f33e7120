/** Counts views: one per viewer, lesson and UTC day. They are collected in memory and written in batches. */
import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/connect.ts'
import { isFreePreview } from '#server/items/shared/entitlement.ts'
import { lessonRef } from '#server/platform/events/catalogue.ts'
import type { Events } from '#server/platform/events/events.ts'
import { utcDay, type Clock } from '#server/kernel/clock.ts'
import type { Views } from '#server/platform/core/core.ts'
import type { Log } from '#server/kernel/log.ts'
import { networkOf } from '#server/kernel/network.ts'

export interface ViewCounter extends Views {
  /** Writes the collected views. Those that can't be written are tried again later. */
  flush(): Promise<void>
  /** Stops the timer and writes the rest. */
  close(): Promise<void>
}

interface ViewNeeds {
  readonly db: Db
  readonly clock: Clock
  /** A secret, so that addresses can't be recovered from the stored hashes. */
  readonly salt: Uint8Array
  readonly log: Log
  readonly events: Pick<Events, 'publish'>
}

const EVERY_MS = 1000
/** Maximum number of collected views. While the database is unavailable, further ones are lost. */
const MOST = 100_000
/** Rows per statement. */
const BATCH = 5000
/** Maximum number of past days' views that are deleted after a write; the next write deletes more. */
const MOST_CLEARED = 10_000

interface View {
  readonly day: string
  readonly lessonId: number
  readonly viewer: string
}

/** Writes the collected views once a second, and the rest when it is closed. */
export function createViewCounter({ db, clock, salt, log, events }: ViewNeeds): ViewCounter {
  const pending = new Map<string, View>()
  // Caches hashes until the next write, because hashing took a third of the time of a cached page.
  const guests = new Map<string, string>()
  let writing: Promise<void> = Promise.resolve()
  let clearedOn = ''

  const writeAll = async () => {
    guests.clear()
    while (pending.size > 0) {
      const batch = [...pending].slice(0, BATCH)
      const counted = await writeViews(
        db,
        batch.map(([, view]) => view),
      )
      if (counted.length > 0)
        events.publish({ type: 'views.counted', items: counted.map(lessonRef) })
      for (const [key] of batch) pending.delete(key)
    }
    const today = utcDay(clock.now())
    if (clearedOn === today) return
    const [views, days] = [await clearViews(db, today), await clearDays(db, today)]
    // The next write deletes the rest of a busy day.
    if (views < MOST_CLEARED && days < MOST_CLEARED) clearedOn = today
  }
  const keyOfGuest = (guest: string): string => {
    const known = guests.get(guest)
    if (known !== undefined) return known
    const key = createHmac('sha256', salt).update(guest).digest('base64url').slice(0, 22)
    if (guests.size < MOST) guests.set(guest, key)
    return key
  }
  const flush = () => {
    writing = writing
      .then(writeAll)
      .catch((error: unknown) => log.warn({ err: error }, 'views wait to be written'))
    return writing
  }
  const timer = setInterval(() => {
    if (pending.size > 0) void flush()
  }, EVERY_MS).unref()

  return {
    count: (lessonId, { viewer, address, agent }) => {
      const day = utcDay(clock.now())
      const key = viewer?.id ?? keyOfGuest(`${day}\n${networkOf(address)}\n${agent}`)
      if (pending.size < MOST)
        pending.set(`${day} ${lessonId} ${key}`, { day, lessonId, viewer: key })
    },
    flush,
    close: () => {
      clearInterval(timer)
      return flush()
    },
  }
}

/**
 * Writes rows and numbers in one statement: views of lessons, views of owners per day, and who opened a free
 * lesson. Locks lessons and then owners in the order of their ids, so that two nodes can't deadlock. Returns the
 * lessons whose number grew.
 */
async function writeViews(db: Db, views: readonly View[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with seen as (
      select day, lesson_id, viewer
      from unnest(${views.map((view) => view.day)}::date[], ${views.map((view) => view.lessonId)}::bigint[], ${views.map((view) => view.viewer)}::text[])
        as given (day, lesson_id, viewer)
    ), fresh as (
      insert into lesson_views (day, lesson_id, viewer)
      select s.day, s.lesson_id, s.viewer from seen s join lessons l on l.id = s.lesson_id
      where l.deleted_at is null and l.owner_id::text <> s.viewer
      order by 1, 2, 3
      on conflict do nothing returning day, lesson_id, viewer
    ), grown as (select lesson_id, count(*)::integer as views from fresh group by lesson_id),
    locked as materialized (
      select l.id from lessons l where l.id in (select lesson_id from grown) order by l.id for no key update
    ), owned as (
      insert into owner_view_days (day, owner_id, views)
      select fresh.day, l.owner_id, count(*) from fresh join lessons l on l.id = fresh.lesson_id
      where l.id in (select id from locked)
      group by fresh.day, l.owner_id order by 1, 2
      on conflict (day, owner_id) do update set views = owner_view_days.views + excluded.views
    ), free as (
      insert into free_readers (user_id)
      select distinct person.id from fresh
      join lessons l on l.id = fresh.lesson_id
      -- only person ids have 36 characters; the hash of a guest is shorter
      join users person on person.id = case when length(fresh.viewer) = 36 then fresh.viewer::uuid end
      where person.erased_at is null and ${isFreePreview('l')}
      order by 1
      on conflict do nothing
    )
    update lessons l set views = l.views + g.views from grown g join locked k on k.id = g.lesson_id where l.id = g.lesson_id returning l.id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/**
 * Viewers are needed until their day ends, and one day more for late batches. Deletes a bounded number of rows and
 * returns it, because deleting all views of a day could exceed the statement timeout.
 */
async function clearViews(db: Db, today: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from lesson_views where ctid = any(array(
      select ctid from lesson_views where day < ${today}::date - 1 limit ${sql.lit(MOST_CLEARED)}
    ))`.execute(db)
  return Number(numAffectedRows)
}

/** A week is shown, and one day more is stored. Bounded as above. */
async function clearDays(db: Db, today: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from owner_view_days where ctid = any(array(
      select ctid from owner_view_days where day < ${today}::date - 7 limit ${sql.lit(MOST_CLEARED)}
    ))`.execute(db)
  return Number(numAffectedRows)
}

/** Deletes a person's daily views and that they opened a free lesson. Later views are deleted with their day. */
export async function forgetViews(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('owner_view_days').where('owner_id', '=', userId).execute()
  await db.deleteFrom('free_readers').where('user_id', '=', userId).execute()
}

/** For imported content: gives each of an owner's last seven days their average views. Existing days stay. */
export async function setPastWeek(db: Db, now: Date): Promise<void> {
  await sql`
    insert into owner_view_days (day, owner_id, views)
    select ${now.toISOString().slice(0, 10)}::date - ago, owner_id, ceil(average)::integer
    from generate_series(0, 6) as ago, (
      select owner_id, sum(views / greatest(1, extract(epoch from ${now}::timestamptz - created_at) / 86400)) as average
      from lessons where deleted_at is null group by owner_id
    ) viewed
    where average > 0
    on conflict (day, owner_id) do nothing`.execute(db)
}

/** Lessons per transaction. */
const MENDED_AT_ONCE = 500

/**
 * Raises the views of lessons that have fewer than the stored viewers. Nothing else can be recounted, because
 * older viewers are deleted. Returns the number of lessons that had too few.
 */
export async function raiseViews(db: Db): Promise<number> {
  let raised = 0
  for (;;) {
    const batch = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ id: number }>`
        select l.id from lessons l
        where l.id in (
          select v.lesson_id from lesson_views v join lessons stored on stored.id = v.lesson_id
          group by v.lesson_id, stored.views having count(*) > stored.views
        ) and (l.deleted_at is null or l.kept_for_buyers)
        order by l.id limit ${sql.lit(MENDED_AT_ONCE)} for no key update`.execute(tx)
      await sql`
        update lessons l set views = noted.views from (
          select lesson_id, count(*) as views from lesson_views
          where lesson_id = any(${rows.map(({ id }) => id)}::bigint[]) group by lesson_id
        ) noted
        where l.id = noted.lesson_id and l.views < noted.views`.execute(tx)
      return rows.length
    })
    raised += batch
    if (batch < MENDED_AT_ONCE) return raised
  }
}
