/** A viewer's entitlement to a lesson as SQL on `l` (lessons). access.ts decides what follows from it. */
import { sql, type RawBuilder } from 'kysely'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { isThere, type Entitlement } from '#server/items/shared/access.ts'

/**
 * A condition on the alias of a lesson or course: it is living or was left to its buyers. `isThere` decides which
 * viewers see the latter.
 */
export function isReadable(alias: 'i' | 'l' | 'k' | 'course'): RawBuilder<boolean> {
  const item = sql.raw(alias)
  return sql<boolean>`(${item}.deleted_at is null or ${item}.kept_for_buyers)`
}

/** A person's id, a column with one, or null for a guest. */
type ViewerId = string | RawBuilder<unknown> | null

/**
 * True if the viewer bought a course, living or left to its buyers, that contains the lesson or contained it at
 * the time of the purchase. False for a null `viewerId`.
 */
export function isOpenThroughCourse(viewerId: ViewerId): RawBuilder<boolean> {
  return sql<boolean>`(exists (
      select from course_lessons held
      join course_purchases sale on sale.course_id = held.course_id and sale.user_id = ${viewerId}::uuid
      join courses course on course.id = held.course_id and ${isReadable('course')}
      where held.lesson_id = l.id
    ) or exists (
      select from course_kept_lessons held
      join course_purchases sale on sale.course_id = held.course_id and sale.user_id = ${viewerId}::uuid
        and sale.id <= held.last_purchase
      join courses course on course.id = held.course_id and ${isReadable('course')}
      where held.lesson_id = l.id
    ))`
}

/**
 * A condition on the alias of a lesson: the owner of a living course made it readable for everybody. The
 * comparison implies that the mark is not null, but PostgreSQL doesn't derive that when it reads all marks at
 * once. The explicit condition lets it use the partial index instead of reading every course.
 */
export function isFreePreview(alias: 'i' | 'l'): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from course_contents preview
    join courses course on course.id = preview.course_id and course.deleted_at is null
    where preview.free_preview = ${sql.raw(alias)}.id and preview.free_preview is not null
  )`
}

/** A condition on `l` (lessons). False for a null `viewerId`. */
export function isBought(viewerId: ViewerId): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from lesson_purchases sale where sale.lesson_id = l.id and sale.user_id = ${viewerId}::uuid
  )`
}

/** The last checks of the lesson's video found that it can't be played. */
export function isVideoGone(lessonId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from video_checks video where video.lesson_id = ${lessonId} and video.gone_at is not null
  )`
}

export function entitlementColumns(viewerId: ViewerId): RawBuilder<unknown> {
  return sql`l.owner_id as "ownerId", ${isBought(viewerId)} as bought,
    ${isOpenThroughCourse(viewerId)} as "openThroughCourse", ${isFreePreview('l')} as "freePreview",
    l.kept_for_buyers as "leftToBuyers"`
}

export interface Asker {
  /** Null for a guest. */
  readonly viewerId: string | null
  readonly administers: boolean
}

export function toAsker(viewer: Viewer | null): Asker {
  return { viewerId: viewer?.id ?? null, administers: viewer?.role === 'administrator' }
}

/**
 * A condition on entitlement columns that is false if the lesson is certainly locked, so that its comments need
 * not be read. `rightsOf` still decides whether the viewer gets them.
 */
export function seemsOpen(asker: Asker, row: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(${asker.administers}::boolean or ${row}."ownerId" = ${asker.viewerId}::uuid
    or ${row}.bought or ${row}."openThroughCourse" or ${row}."freePreview")`
}

/** Locks a lesson until the transaction ends, so that nobody returns or edits it meanwhile. */
export async function holdLesson(tx: Tx, lessonId: number): Promise<void> {
  await sql`select from lessons where id = ${lessonId} for share`.execute(tx)
}

/** Returns null if the viewer can't see such a lesson. */
export async function findEntitlement(
  db: DbOrTx,
  lessonId: number,
  viewer: Viewer | null,
): Promise<Entitlement | null> {
  const { rows } = await sql<Entitlement>`
    select ${entitlementColumns(viewer?.id ?? null)} from lessons l
    where l.id = ${lessonId} and ${isReadable('l')}`.execute(db)
  const [entitlement] = rows
  return entitlement !== undefined && isThere(viewer, entitlement) ? entitlement : null
}
