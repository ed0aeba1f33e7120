/** Moderation of ratings with texts: lists them, deletes and restores several at once, and logs each action. */
import { sql, type RawBuilder } from 'kysely'
import { CommentLanguage, Prediction, type CommentCounts } from '#contract/comments.ts'
import { EXACT_TOTAL, LAST_PAGE, ROWS_PER_PAGE } from '#contract/limits.ts'
import type { ItemKind } from '#contract/points.ts'
import type { ModeratedRating, RatingsQuery, RestoredRatings } from '#contract/ratings.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { isReadable } from '#server/items/shared/entitlement.ts'
import { ratedCte } from '#server/items/shared/rating-sums.ts'
import { TABLES } from '#server/items/shared/tables.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { ItemRef } from '#server/platform/events/catalogue.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { labelCounts } from '#server/people/moderation/label-counts.ts'
import { logAct } from '#server/people/moderation/log.ts'
import { undoableSince, wasDeleted, type DeletionTime } from '#server/people/moderation/undo.ts'
import { conditionOf, countsOf, type Counted } from '#server/items/ratings/desk-search.ts'
import { hasAccess, lockItems } from '#server/items/ratings/leaving.ts'
import {
  ratingColumns,
  ratingJoins,
  toRating,
  type RatingRow,
} from '#server/items/ratings/store.ts'

interface DeskRow extends RatingRow {
  readonly kind: ItemKind
  readonly item_id: number
  readonly title: string | null
  readonly prediction: string | null
  readonly confidence: number | null
  readonly language: string | null
  readonly why: string[] | null
  readonly model: string | null
  readonly suspended: boolean
  readonly deleted_at: Date | null
  readonly deleted_by_name: string | null
}

interface DeskPage {
  readonly ratings: ModeratedRating[]
  readonly labels: CommentCounts
  readonly total: number
  readonly more: boolean
  readonly page: number
  readonly pages: number
}

/** Returns a page for moderators, or the last page if the requested one doesn't exist. */
export async function browseRatings(
  { db, now }: { readonly db: Db; readonly now: Date },
  query: RatingsQuery,
): Promise<DeskPage> {
  const page = query.page ?? 1
  const shown = await readPage(db, query, now, page)
  return page <= shown.pages ? shown : readPage(db, query, now, shown.pages)
}

async function readPage(db: Db, query: RatingsQuery, now: Date, page: number): Promise<DeskPage> {
  const hits = sql`select r.id, r.deleted_at from ratings r where ${conditionOf(query, now)}`
  const order = query.deleted ? sql`deleted_at desc, id desc` : sql`id desc`
  const offset = (Math.min(page, LAST_PAGE) - 1) * ROWS_PER_PAGE
  const { rows } = await sql<(DeskRow | { id: null }) & Counted>`
    with counts as materialized (${countsOf(query, now)}), page as materialized (
      select hit.*, row_number() over () as place from (
        ${hits} order by ${order} limit ${sql.lit(ROWS_PER_PAGE)} offset ${offset}
      ) hit
    )
    select counts.*, shown.* from counts left join (
      select page.place, ${ratingColumns}, case when r.lesson_id is null then 'course' else 'lesson' end as kind,
        coalesce(r.lesson_id, r.course_id) as item_id, coalesce(ofl.title, ofk.title) as title,
        r.prediction, r.confidence, r.language, r.why, r.model, rater.suspended_at is not null as suspended,
        r.deleted_at, deleter.username as deleted_by_name
      from page join ratings r on r.id = page.id ${ratingJoins}
      left join users deleter on deleter.id = r.deleted_by
      left join lesson_contents ofl on ofl.lesson_id = r.lesson_id
      left join course_contents ofk on ofk.course_id = r.course_id
    ) shown on true order by shown.place`.execute(db)
  const found = rows[0]?.[query.label ?? 'ALL'] ?? 0
  const total = Math.min(found, EXACT_TOTAL)
  const more = found > EXACT_TOTAL
  return {
    ratings: rows.filter((row): row is DeskRow & Counted => row.id !== null).map(toDesk),
    labels: labelCounts((label) => rows[0]?.[label] ?? 0),
    total,
    more,
    page,
    pages: more ? LAST_PAGE : Math.max(1, Math.ceil(total / ROWS_PER_PAGE)),
  }
}

function toDesk(row: DeskRow): ModeratedRating {
  const prediction = Prediction.safeParse(row.prediction)
  const language = CommentLanguage.safeParse(row.language)
  return {
    ...toRating(row),
    kind: row.kind,
    itemId: row.item_id,
    title: row.title ?? '',
    prediction: prediction.success ? prediction.data : null,
    confidence: row.confidence,
    language: language.success ? language.data : null,
    why: row.why ?? [],
    model: row.model,
    suspended: row.suspended,
    deleted:
      row.deleted_at === null
        ? null
        : { date: row.deleted_at.toISOString(), userName: row.deleted_by_name ?? '' },
  }
}

interface DeskNeeds {
  readonly db: Db
  readonly clock: Clock
}

/** A deleted or restored rating. */
interface ChangedRating {
  readonly id: number
  readonly item: number
  readonly userId: string
  readonly text: string | null
  readonly deletedBy: string | null
}

/**
 * Deletes the existing ones among these ratings in one transaction, and ignores the others. Returns the people who
 * wrote them.
 */
export function deleteRatings(
  { db, clock }: DeskNeeds,
  viewer: Viewer,
  ids: readonly number[],
): Promise<ItemRef[]> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const items: ItemRef[] = []
    for (const kind of ['lesson', 'course'] as const) {
      const gone = await moveRatings(tx, kind, ids, {
        change: sql`deleted_at = ${at}, deleted_by = ${viewer.id}`,
        where: sql`r.deleted_at is null`,
        sign: -1,
      })
      await logAll(tx, viewer, gone, 'ratingDeleted', at)
      items.push(...refsOf(kind, gone))
    }
    return items
  })
}

/**
 * Restores ratings deleted by administrators. A refused one doesn't stop the others: `ratingNotFound` if it or its
 * item doesn't exist; `ratingNotUndoable` if it is not deleted, its author withdrew it, rated again or lost
 * access, or 30 days have passed.
 */
export function restoreRatings(
  { db, clock }: DeskNeeds,
  viewer: Viewer,
  ids: readonly number[],
): Promise<RestoredRatings & { items: ItemRef[] }> {
  const at = clock.now()
  return db
    .transaction()
    .execute((tx) =>
      undeleteRatings(tx, viewer, { ids, deleted: { since: undoableSince(at) }, at }),
    )
}

/** Restores ratings in the transaction of the caller. */
export async function undeleteRatings(
  tx: Tx,
  viewer: Viewer,
  {
    ids,
    deleted,
    at,
  }: { readonly ids: readonly number[]; readonly deleted: DeletionTime; readonly at: Date },
): Promise<RestoredRatings & { items: ItemRef[] }> {
  const items: ItemRef[] = []
  const restored: number[] = []
  for (const kind of ['lesson', 'course'] as const) {
    const key = sql.raw(TABLES[kind].id)
    const back = await moveRatings(tx, kind, ids, {
      change: sql`deleted_at = null, deleted_by = null`,
      where: sql`${wasDeleted(sql`r.deleted_at`, deleted)} and (r.deleted_by <> r.user_id or r.deleted_by = ${viewer.id})
          and ${hasAccess} and not exists (
            select from ratings other where other.${key} = r.${key} and other.user_id = r.user_id
              and (other.deleted_at is null or (
                other.id > r.id and other.id = any(${ids}::bigint[]) and other.deleted_by is not null
              ))
          )`,
      sign: 1,
    })
    await logAll(tx, viewer, back, 'ratingRestored', at)
    items.push(...refsOf(kind, back))
    restored.push(...back.map(({ id }) => id))
  }
  const left = [...new Set(ids)].filter((id) => !restored.includes(id))
  const known = await findKnown(tx, left)
  const refused = left.map((id) => ({
    id,
    why: known.has(id) ? ('ratingNotUndoable' as const) : ('ratingNotFound' as const),
  }))
  return { items, restored, refused }
}

/** Locks the items of these ratings first, then changes the ratings and the items' sums. */
async function moveRatings(
  tx: Tx,
  kind: ItemKind,
  ids: readonly number[],
  {
    change,
    where,
    sign,
  }: { change: RawBuilder<unknown>; where: RawBuilder<unknown>; sign: 1 | -1 },
): Promise<ChangedRating[]> {
  const key = sql.raw(TABLES[kind].id)
  const { rows: found } = await sql<{ item: number }>`
    select distinct r.${key} as item from ratings r
    where r.id = any(${ids}::bigint[]) and r.${key} is not null`.execute(tx)
  if (found.length === 0) return []
  await lockItems(
    tx,
    kind,
    found.map(({ item }) => item),
  )
  const { rows } = await sql<ChangedRating>`
    with fitting as materialized (
      select r.id, r.deleted_by from ratings r
      where r.id = any(${ids}::bigint[]) and r.${key} is not null and ${where}
    ), changed as (
      update ratings r set ${change} from fitting where r.id = fitting.id
      returning r.id, r.${key} as item_id, r.user_id, r.text, r.stars, fitting.deleted_by
    ), moved as (
      select item_id, ${sql.lit(sign)} as ratings, ${sql.lit(sign)} * stars as stars from changed
    ), ${ratedCte(kind)}
    select id, item_id as item, user_id as "userId", text, deleted_by as "deletedBy" from changed
    order by id`.execute(tx)
  return rows
}

const refsOf = (kind: ItemKind, moved: readonly ChangedRating[]): ItemRef[] =>
  [...new Set(moved.map(({ item }) => item))].map((id) => ({ kind, id }))

async function findKnown(tx: Tx, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select r.id from ratings r
    left join lessons l on l.id = r.lesson_id and ${isReadable('l')}
    left join courses k on k.id = r.course_id and ${isReadable('k')}
    where r.id = any(${ids}::bigint[]) and coalesce(l.id, k.id) is not null`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** Doesn't log people who delete their own rating. */
async function logAll(
  tx: Tx,
  viewer: Viewer,
  moved: readonly ChangedRating[],
  action: 'ratingDeleted' | 'ratingRestored',
  at: Date,
): Promise<void> {
  for (const { id, text, userId, deletedBy } of moved) {
    if ((deletedBy ?? viewer.id) === userId) continue
    await logAct(tx, {
      actorId: viewer.id,
      action,
      subjectId: id,
      subject: text,
      personId: userId,
      at,
    })
  }
}

/** Returns true if the rating exists and isn't deleted. */
export async function isLivingRating(tx: Tx, id: number): Promise<boolean> {
  const { rows } = await sql`select from ratings where id = ${id} and deleted_at is null`.execute(
    tx,
  )
  return rows.length > 0
}
