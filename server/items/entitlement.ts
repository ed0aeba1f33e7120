/** What a lesson is to a viewer, as SQL on `l` (lessons). What follows from it, access.ts decides. */
import { sql, type RawBuilder } from 'kysely'
import type { DbOrTx } from '#server/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { isThere, type Entitlement } from '#server/items/access.ts'

/** On the alias of a lesson or course: it is there, or was left to its buyers; which of the two, isThere decides. */
export function isReadable(alias: 'i' | 'l' | 'k' | 'course'): RawBuilder<boolean> {
  const item = sql.raw(alias)
  return sql<boolean>`(${item}.deleted_at is null or ${item}.kept_for_buyers)`
}

/** Whose entitlement: a person's id, a column that holds one, or null for a guest. */
type ViewerId = string | RawBuilder<unknown> | null

/**
 * A course, living or left to its buyers, that the viewer bought holds the lesson, or held it when it was bought. `viewerId` null: false.
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
 * On the alias of a lesson: the owner of a living course marked it as open to everybody. That the mark is not null follows from the
 * comparison, but PostgreSQL does not see it where it reads all marks at once: said, it reads the index of the marked
 * ones and not every course.
 */
export function isFreePreview(alias: 'i' | 'l'): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from course_contents preview
    join courses course on course.id = preview.course_id and course.deleted_at is null
    where preview.free_preview = ${sql.raw(alias)}.id and preview.free_preview is not null
  )`
}

/** On `l` (lessons): the viewer bought it. `viewerId` null: false. */
export function isBought(viewerId: ViewerId): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from lesson_purchases sale where sale.lesson_id = l.id and sale.user_id = ${viewerId}::uuid
  )`
}

/** Columns that make an Entitlement. */
export function entitlementColumns(viewerId: ViewerId): RawBuilder<unknown> {
  return sql`l.owner_id as "ownerId", ${isBought(viewerId)} as bought,
    ${isOpenThroughCourse(viewerId)} as "openThroughCourse", ${isFreePreview('l')} as "freePreview",
    l.kept_for_buyers as "leftToBuyers"`
}

/** A viewer as statements need them. */
export interface Asker {
  /** Null: a guest. */
  readonly viewerId: string | null
  readonly administers: boolean
}

/** A viewer, or a guest, as statements need them. */
export function toAsker(viewer: Viewer | null): Asker {
  return { viewerId: viewer?.id ?? null, administers: viewer?.role === 'administrator' }
}

/**
 * On a row of entitlement columns: false where it is plain that the lesson stays locked, so that its comments need
 * not be read. Whether the viewer gets what was read, rightsOf decides all the same.
 */
export function seemsOpen(asker: Asker, row: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(${asker.administers}::boolean or ${row}."ownerId" = ${asker.viewerId}::uuid
    or ${row}.bought or ${row}."openThroughCourse" or ${row}."freePreview")`
}

/** Null where there is no such lesson for the viewer. */
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
