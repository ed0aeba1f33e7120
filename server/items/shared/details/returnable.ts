/** Decides whether a person may return what they bought. Pages and refusals both follow from it. */
import { sql, type RawBuilder } from 'kysely'
import type { Returnable } from '#contract/items.ts'
import { RETURNS_A_MONTH, RETURN_HOURS, VIDEO_GONE_RETURN_DAYS } from '#contract/limits.ts'
import type { ItemKind } from '#contract/points.ts'
import { isVideoGone } from '#server/items/shared/entitlement.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

export type ReturnRefusal =
  | 'returnTooLate'
  | 'returnToken'
  | 'returnNothing'
  | 'returnDone'
  | 'returnRated'
  | 'returnCommented'
  | 'returnChecked'
  | 'returnFetched'
  | 'returnOpened'
  | 'returnTooMany'

/** A purchase as JSON. */
export interface ReturnFacts {
  readonly boughtAt: string
  readonly withToken: boolean
  /** The price without what was refunded. */
  readonly worth: number
  readonly videoGone: boolean
  /** What the person did with the item, if that rules a return out. */
  readonly used: ReturnRefusal | null
  /** Returns of this month, without those of lessons whose video is gone. */
  readonly returns: number
}

export type ReturnVerdict =
  | { readonly until: Date; readonly reason: 'returned' | 'videoGone' }
  | { readonly until: null; readonly refusal: ReturnRefusal }

/** `facts` is null if the purchase is older than any that may be returned. */
export function judgeReturn(facts: ReturnFacts | null, now: Date): ReturnVerdict {
  if (facts === null) return refuse('returnTooLate')
  const { withToken, worth, videoGone, used, returns } = facts
  const boughtAt = new Date(facts.boughtAt).getTime()
  if (withToken) return refuse('returnToken')
  if (worth === 0) return refuse('returnNothing')
  const untilGone = new Date(boughtAt + VIDEO_GONE_RETURN_DAYS * DAY_MS)
  if (videoGone && now < untilGone) return { until: untilGone, reason: 'videoGone' }
  const until = new Date(boughtAt + RETURN_HOURS * HOUR_MS)
  if (now >= until) return refuse('returnTooLate')
  if (used !== null) return refuse(used)
  if (returns >= RETURNS_A_MONTH) return refuse('returnTooMany')
  return { until, reason: 'returned' }
}

const refuse = (refusal: ReturnRefusal): ReturnVerdict => ({ until: null, refusal })

/** The field of an item's details. */
export function toReturnable(facts: ReturnFacts | null, now: Date): Returnable {
  const { until } = judgeReturn(facts, now)
  if (facts === null || until === null) return null
  return { until: until.toISOString(), kbPoints: facts.worth }
}

/** Purchases that were made before can't be returned any more. */
export const returnableSince = (now: Date): Date => new Date(now.getTime() - RETURN_HOURS * HOUR_MS)

/** A month is a UTC calendar month, as a day of the other limits is a UTC day. */
const monthOf = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()))

/**
 * A scalar subselect with the facts about a person's purchase of an item as JSON. Null for guests and without a
 * purchase that is recent enough.
 */
export function returnFacts(
  kind: ItemKind,
  itemId: RawBuilder<unknown>,
  viewerId: string | null,
  now: Date,
): RawBuilder<ReturnFacts | null> {
  if (viewerId === null) return sql<ReturnFacts | null>`null::json`
  const oldest = new Date(now.getTime() - VIDEO_GONE_RETURN_DAYS * DAY_MS)
  const { purchases, id, worth, videoGone, used } = OF_KIND[kind]
  return sql<ReturnFacts | null>`(
    select json_build_object(
      'boughtAt', sale.created_at, 'withToken', sale.with_token, 'worth', ${worth}, 'videoGone', ${videoGone},
      'used', ${used}, 'returns', (
        select count(*) from point_entries entry
        where entry.user_id = sale.user_id and entry.reason = 'returned' and entry.created_at >= ${monthOf(now)}
      )
    ) from ${purchases} sale
    where sale.user_id = ${viewerId}::uuid and sale.${id} = ${itemId} and sale.created_at > ${oldest}
  )`
}

const OF_KIND = {
  lesson: {
    purchases: sql`lesson_purchases`,
    id: sql`lesson_id`,
    worth: sql`sale.price`,
    videoGone: isVideoGone(sql`sale.lesson_id`),
    used: sql`case
      when exists (
        select from lesson_progress p where p.user_id = sale.user_id and p.lesson_id = sale.lesson_id
          and coalesce(p.marked, p.finished)
      ) then 'returnDone'
      when exists (
        select from ratings r
        where r.user_id = sale.user_id and r.lesson_id = sale.lesson_id and r.deleted_at is null
      ) then 'returnRated'
      when exists (
        select from comments m
        where m.user_id = sale.user_id and m.lesson_id = sale.lesson_id and m.deleted_at is null
      ) then 'returnCommented'
      when exists (
        select from check_results r where r.user_id = sale.user_id and r.lesson_id = sale.lesson_id
      ) then 'returnChecked'
      when exists (
        select from lesson_openings seen
        where seen.user_id = sale.user_id and seen.lesson_id = sale.lesson_id and seen.fetched
      ) then 'returnFetched'
    end`,
  },
  course: {
    purchases: sql`course_purchases`,
    id: sql`course_id`,
    worth: sql`sale.price - sale.refunded`,
    videoGone: sql`false`,
    used: sql`case when (
      select count(*) from course_lessons held
      join lesson_openings seen on seen.user_id = sale.user_id and seen.lesson_id = held.lesson_id
      where held.course_id = sale.course_id
    ) > 1 then 'returnOpened' end`,
  },
} as const
