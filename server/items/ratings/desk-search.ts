/** Selects and counts the ratings on the moderation page. */
import { sql, type RawBuilder } from 'kysely'
import { Prediction, type CommentCounts } from '#contract/comments.ts'
import { EXACT_TOTAL } from '#contract/limits.ts'
import type { RatingsQuery } from '#contract/ratings.ts'
import { undoableSince } from '#server/people/moderation/undo.ts'

const LABELS = [...Prediction.options, 'NONE'] as const
/** Counting stops here. */
const BEYOND = EXACT_TOTAL + 1

/** Number of ratings by opinion, up to BEYOND, and in total. */
export type Counted = Readonly<Record<keyof CommentCounts, number>>

/** Counts each opinion with its own index. Every rating has at most one, so that the total is their sum. */
export function countsOf(query: RatingsQuery, now: Date): RawBuilder<unknown> {
  const one = (label: (typeof LABELS)[number]) => sql`(
    select count(*)::integer from (
      select from ratings r where ${conditionOf({ ...query, label }, now)} limit ${sql.lit(BEYOND)}
    ) counted) as ${sql.id(label)}`
  const all = sql.join(
    LABELS.map((label) => sql.id(label)),
    sql` + `,
  )
  return sql`select ${all} as "ALL", chips.* from (select ${sql.join(LABELS.map(one))}) chips`
}

/** Condition on `r` (ratings). Excludes ratings removed with their item, because nobody can restore them. */
export function conditionOf({ label, deleted }: RatingsQuery, now: Date): RawBuilder<boolean> {
  const labelled =
    label === undefined
      ? sql`true`
      : label === 'NONE'
        ? sql`r.prediction is null`
        : sql`r.prediction = ${sql.lit(label)}`
  return deleted
    ? sql<boolean>`r.deleted_at > ${undoableSince(now)} and r.deleted_by <> r.user_id and ${labelled}`
    : sql<boolean>`r.deleted_at is null and r.text is not null and ${labelled}`
}
