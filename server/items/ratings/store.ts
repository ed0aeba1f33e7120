/** Reads and writes single ratings. The same statements update the sums for lists (items/shared/rating-sums.ts). */
import { sql, type RawBuilder } from 'kysely'
import type { ItemKind } from '#contract/points.ts'
import type { Rating } from '#contract/ratings.ts'
import { shownPerson } from '#server/people/accounts/answer.ts'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { isReadable } from '#server/items/shared/entitlement.ts'
import { ratedCte } from '#server/items/shared/rating-sums.ts'
import { TABLES } from '#server/items/shared/tables.ts'

/** Times are strings in rows that came as JSON. */
export interface RatingRow {
  readonly id: number
  readonly stars: number
  readonly text: string | null
  readonly user_id: string
  readonly user_name: string
  /** Key of the picture, or null for a generated one. */
  readonly user_picture: string | null
  readonly at: Date | string
  readonly answer: string | null
  readonly answered_at: Date | string | null
}

/** Requires `r` (ratings) and the joins of `ratingJoins`. */
export const ratingColumns = sql`r.id, r.stars, r.text, r.user_id, rater.username as user_name,
  face.key as user_picture, coalesce(r.edited_at, r.created_at) as at, r.answer, r.answered_at`

/** Joins the author to `r` (ratings). */
export const ratingJoins = sql`join users rater on rater.id = r.user_id
  left join pictures face on face.id = rater.picture_id`

export function toRating(row: RatingRow): Rating {
  const { id, userName, imageUrl } = shownPerson(row.user_id, row.user_name, row.user_picture)
  return {
    id: row.id,
    stars: row.stars,
    ...(row.text !== null && { text: row.text }),
    user: id,
    userName,
    imageUrl,
    date: instant(row.at),
    ...(row.answer !== null &&
      row.answered_at !== null && {
        answer: { text: row.answer, date: instant(row.answered_at) },
      }),
  }
}

const instant = (time: Date | string) => new Date(time).toISOString()

export interface NewRating {
  readonly kind: ItemKind
  readonly itemId: number
  readonly userId: string
  readonly stars: number
  readonly text: string | undefined
  readonly at: Date
}

const itemOf = (kind: ItemKind) => sql.raw(TABLES[kind].id)

/**
 * Creates or updates a person's rating of a locked item. A changed text loses its opinion. Returns the rating and
 * whether it is new, or null if nothing changed.
 */
export async function putRating(
  tx: Tx,
  { kind, itemId, userId, stars, text, at }: NewRating,
): Promise<{ rating: Rating; isNew: boolean } | null> {
  const item = itemOf(kind)
  const words = text ?? null
  const { rows } = await sql<RatingRow & { isNew: boolean }>`
    with before as materialized (
      select r.id, r.stars from ratings r
      where r.${item} = ${itemId} and r.user_id = ${userId} and r.deleted_at is null
    ), given as (
      insert into ratings as r (${item}, user_id, stars, text, created_at)
      values (${itemId}, ${userId}, ${stars}, ${words}, ${at})
      on conflict (${item}, user_id) where deleted_at is null and ${item} is not null do update set
        stars = excluded.stars, text = excluded.text, edited_at = excluded.created_at,
        ${forgottenOpinion(sql`r.text is distinct from excluded.text`)}
      where (r.stars, r.text) is distinct from (excluded.stars, excluded.text)
      returning r.*
    ), moved as (
      select ${itemId}::bigint as item_id, case when before.id is null then 1 else 0 end as ratings,
        given.stars - coalesce(before.stars, 0) as stars
      from given left join before on true
    ), ${ratedCte(kind)}
    select ${ratingColumns}, not exists (select from before) as "isNew" from given r ${ratingJoins}`.execute(
    tx,
  )
  return rows[0] === undefined ? null : { rating: toRating(rows[0]), isNew: rows[0].isNew }
}

/** The opinion of the old text doesn't apply to the new one. */
function forgottenOpinion(isChanged: RawBuilder<unknown>): RawBuilder<unknown> {
  const columns = ['prediction', 'confidence', 'language', 'why', 'model', 'judged_at']
  return sql.join(
    columns.map(
      (name) =>
        sql`${sql.raw(name)} = case when ${isChanged} then null else r.${sql.raw(name)} end`,
    ),
  )
}

/** Withdraws a person's rating of a locked item. Returns its id, or null if there is none. */
export async function takeBack(
  tx: Tx,
  { kind, itemId, userId, at }: Pick<NewRating, 'kind' | 'itemId' | 'userId' | 'at'>,
): Promise<number | null> {
  const item = itemOf(kind)
  const { rows } = await sql<{ id: number }>`
    with gone as (
      update ratings set deleted_at = ${at}, deleted_by = ${userId}
      where ${item} = ${itemId} and user_id = ${userId} and deleted_at is null returning id, ${item} as item_id, stars
    ), moved as (select item_id, -1 as ratings, -stars as stars from gone), ${ratedCte(kind)}
    select id from gone`.execute(tx)
  return rows[0]?.id ?? null
}

export async function findOwn(
  db: DbOrTx,
  { kind, itemId, userId }: Pick<NewRating, 'kind' | 'itemId' | 'userId'>,
): Promise<Rating | null> {
  const { rows } = await sql<RatingRow>`
    select ${ratingColumns} from ratings r ${ratingJoins}
    where r.${itemOf(kind)} = ${itemId} and r.user_id = ${userId} and r.deleted_at is null`.execute(
    db,
  )
  return rows[0] === undefined ? null : toRating(rows[0])
}

/** A rating that is not deleted, of an item that exists or remains for its buyers. */
export interface StandingRating {
  readonly kind: ItemKind
  readonly itemId: number
  readonly ownerId: string
  readonly userId: string
  readonly answer: string | null
}

/** Locks the rating until the transaction ends. Returns null if it or its item doesn't exist. */
export async function lockStanding(tx: Tx, id: number): Promise<StandingRating | null> {
  const { rows } = await sql<StandingRating>`
    select case when r.lesson_id is null then 'course' else 'lesson' end as kind,
      coalesce(r.lesson_id, r.course_id) as "itemId", coalesce(l.owner_id, k.owner_id) as "ownerId",
      r.user_id as "userId", r.answer
    from ratings r
    left join lessons l on l.id = r.lesson_id and ${isReadable('l')}
    left join courses k on k.id = r.course_id and ${isReadable('k')}
    where r.id = ${id} and r.deleted_at is null and coalesce(l.id, k.id) is not null
    for no key update of r`.execute(tx)
  return rows[0] ?? null
}

/** Sets or deletes the answer to a locked rating. */
export async function putAnswer(
  tx: Tx,
  id: number,
  answer: { readonly text: string; readonly at: Date } | null,
): Promise<void> {
  await tx
    .updateTable('ratings')
    .set({ answer: answer?.text ?? null, answered_at: answer?.at ?? null })
    .where('id', '=', id)
    .execute()
}

export async function findRating(db: DbOrTx, id: number): Promise<Rating | null> {
  const { rows } = await sql<RatingRow>`
    select ${ratingColumns} from ratings r ${ratingJoins}
    where r.id = ${id} and r.deleted_at is null`.execute(db)
  return rows[0] === undefined ? null : toRating(rows[0])
}
