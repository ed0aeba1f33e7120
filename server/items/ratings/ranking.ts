/**
 * Ranks items with the site's mean rating. The mean is recomputed daily but changes only if it is off by a
 * twentieth of a star, so that all rated items are rarely rewritten. The rank of unrated items doesn't depend on
 * the mean.
 */
import { sql } from 'kysely'
import type { ItemKind } from '#contract/points.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { itemsOf } from '#server/items/shared/tables.ts'
import { jobKind, NoPayload } from '#server/platform/jobs/job.ts'
import type { Events } from '#server/platform/events/events.ts'
import type { Clock } from '#server/kernel/clock.ts'

/** Runs every minute, usually without anything to do. */
export const RANK_ITEMS = jobKind('rankItems', NoPayload)

const DAY_MS = 24 * 60 * 60_000
/** With fewer ratings of a kind, the middle of the scale is a better estimate than their mean. */
const FEWEST = 20
/** Smallest change of the mean, in thousandths of a star. */
const STEP = 50
/** Items per transaction. */
const BATCH = 500
/** Limit per run and kind. The next run continues. */
const BATCHES = 200

interface RankingNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly events: Events
}

/**
 * Recomputes means that are a day old, and continues to update ranks after a change. Processes may run it
 * concurrently.
 */
export async function rankItems({ db, clock, events }: RankingNeeds): Promise<void> {
  for (const kind of ['lesson', 'course'] as const) {
    await reckonMean(db, kind, clock.now())
    let ranked = 0
    let batch = BATCH
    for (let done = 0; done < BATCHES && batch === BATCH; done += 1) {
      batch = await db.transaction().execute((tx) => rankSome(tx, kind))
      ranked += batch
    }
    // Lists by rating have changed, but no item pages.
    if (ranked > 0) events.publish({ type: 'items.changed', items: [] })
  }
}

async function reckonMean(db: Db, kind: ItemKind, now: Date): Promise<void> {
  const due = new Date(now.getTime() - DAY_MS)
  const { rows } = await sql`
    select from rating_means where kind = ${kind} and reckoned_at <= ${due} and ranked`.execute(db)
  if (rows.length === 0) return
  await sql`
    with found as materialized (
      select sum(i.rating_stars) as stars, sum(i.ratings) as ratings from ${itemsOf(kind)}
      where i.ratings > 0 and i.deleted_at is null
    ), reckoned as (
      select round(1000 * stars::numeric / ratings)::integer as mean from found where ratings >= ${sql.lit(FEWEST)}
    ), news as (
      select reckoned.mean, abs(reckoned.mean - known.mean) >= ${sql.lit(STEP)} as moved
      from reckoned, rating_means known where known.kind = ${kind}
    )
    update rating_means known set
      reckoned_at = ${now},
      mean = coalesce((select mean from news where moved), known.mean),
      ranked = not coalesce((select moved from news), false), ranked_to = 0
    where known.kind = ${kind} and known.ranked and known.reckoned_at <= ${due}`.execute(db)
}

/**
 * Updates the ranks of the next rated items and returns their number. Fewer than BATCH means that all are updated.
 */
async function rankSome(tx: Tx, kind: ItemKind): Promise<number> {
  const { rows: means } = await sql<{ after: number }>`
    select ranked_to as after from rating_means where kind = ${kind} and not ranked for update`.execute(
    tx,
  )
  const [mean] = means
  if (mean === undefined) return 0
  // Locks in a separate statement, so that the next one sees what the previous lock holders committed.
  const { rows } = await sql<{ id: number }>`
    select i.id from ${itemsOf(kind)} where i.id > ${mean.after} and i.ratings > 0
    order by i.id limit ${sql.lit(BATCH)} for no key update`.execute(tx)
  const ids = rows.map(({ id }) => id)
  await sql`
    update ${itemsOf(kind)} set rating_rank = rank_of_ratings(i.rating_stars, i.ratings, known.mean)
    from rating_means known where known.kind = ${kind} and i.id = any(${ids}::bigint[])`.execute(tx)
  await sql`
    update rating_means set ranked_to = ${ids.at(-1) ?? mean.after}, ranked = ${ids.length < BATCH}
    where kind = ${kind}`.execute(tx)
  return ids.length
}
