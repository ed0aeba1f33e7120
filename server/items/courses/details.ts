import { sql } from 'kysely'
import type { Course, CourseLesson, EditedCourse } from '#contract/courses.ts'
import type { AuthorRecord, OwnerItems } from '#contract/items.ts'
import {
  courseCardColumns,
  courseCardJoins,
  type CourseCardRow,
} from '#server/items/courses/cards.ts'
import type { Db } from '#server/platform/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { notFound } from '#server/kernel/errors.ts'
import { isThere, rightsOf, type Entitlement } from '#server/items/shared/access.ts'
import { toDetails } from '#server/items/shared/cards.ts'
import { coverOf } from '#server/items/shared/cover.ts'
import {
  authorRecord,
  followsOwner,
  ownerItems,
  toAuthorRecord,
  toFollowing,
} from '#server/items/shared/details/owner.ts'
import {
  returnFacts,
  toReturnable,
  type ReturnFacts,
} from '#server/items/shared/details/returnable.ts'
import { isReadable, entitlementColumns } from '#server/items/shared/entitlement.ts'

interface LessonOfCourse extends Entitlement {
  readonly id: number
  readonly title: string
  readonly description: string
  readonly picture: string | null
  readonly articleMinutes: number
}

export interface CourseRow extends CourseCardRow {
  readonly version: number
  readonly free_preview: number | null
  /** In order. */
  readonly listed: readonly LessonOfCourse[]
  readonly owner_items: OwnerItems
  readonly follows_owner: boolean | null
  /** Null if the viewer can certainly see everything. */
  readonly author: AuthorRecord | null
  /** The viewer's kbPoints; null for a guest. */
  readonly kb_points: number | null
  /** True after the owner's account was erased. */
  readonly leftToBuyers: boolean
  /** Null without a recent purchase. */
  readonly return_facts: ReturnFacts | null
}

/** The specification's 404 for a course that the viewer can't see. */
export const courseGone = () => notFound('courseNotFound')

const entitlementOf = ({
  owner_id: ownerId,
  bought,
  liked,
  leftToBuyers,
}: CourseRow): Entitlement => ({
  ownerId,
  bought,
  liked,
  leftToBuyers,
})

/** Reads a course that the viewer can see, with everything that its page needs, in one round trip. */
export async function findCourse(
  db: Db,
  id: number,
  viewer: Viewer | null,
  now: Date,
): Promise<CourseRow | null> {
  const viewerId = viewer?.id ?? null
  const { rows } = await sql<CourseRow>`
    select ${courseCardColumns}, ${ownerItems(sql`k.owner_id`)} as owner_items, ${followsOwner(sql`k.owner_id`, viewerId)} as follows_owner,
      case when ${viewer?.role === 'administrator'}::boolean or k.owner_id = ${viewerId}::uuid or sale.user_id is not null
        then null else ${authorRecord(sql`k.owner_id`)} end as author, c.version, c.free_preview, k.kept_for_buyers as "leftToBuyers",
      (select greatest(0, pb.net) from point_balances pb where pb.user_id = ${viewerId}::uuid) as kb_points,
      (
        select coalesce(json_agg(entry order by entry.position), '[]') from (
          select held.position, l.id, inside.title, inside.description, lp.key as picture,
            inside.article_minutes as "articleMinutes", ${entitlementColumns(viewerId)}
          from course_lessons held
          join lessons l on l.id = held.lesson_id
          join lesson_contents inside on inside.lesson_id = l.id
          left join pictures lp on lp.id = inside.picture_id
          where held.course_id = k.id
        ) entry
      ) as listed, ${returnFacts('course', sql`k.id`, viewerId, now)} as return_facts
    from courses k ${courseCardJoins(viewerId)}
    where k.id = ${id} and ${isReadable('k')}`.execute(db)
  const [row] = rows
  return row !== undefined && isThere(viewer, entitlementOf(row)) ? row : null
}

function toLessonOfCourse(lesson: LessonOfCourse, viewer: Viewer | null): CourseLesson {
  const { id, title, description, picture, articleMinutes } = lesson
  return {
    id,
    title,
    description,
    thumbnail: coverOf('lesson', id, picture),
    articleMinutes,
    can: { see: rightsOf(viewer, lesson).see },
  }
}

/** Converts the details for a viewer, or for a guest (null). */
export function toCourse(row: CourseRow, viewer: Viewer | null, now: Date): Course {
  const { bought, liked } = row
  const can = rightsOf(viewer, entitlementOf(row))
  return {
    ...toDetails('course', row),
    can,
    ...(!can.see && row.author !== null && { author: toAuthorRecord(row.author) }),
    liked,
    bought,
    version: row.version,
    commentCount: row.comments,
    comments: row.comments,
    freePreview: row.free_preview,
    ownerItems: row.owner_items,
    ...toFollowing(row.follows_owner),
    returnable: toReturnable(row.return_facts, now),
    lessons: row.listed.map((lesson) => toLessonOfCourse(lesson, viewer)),
  }
}

/**
 * The response to the author of a change, with their kbPoints.
 * @throws Refusal 404 when it was deleted meanwhile
 */
export async function readWrittenCourse(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  viewer: Viewer,
  id: number,
): Promise<EditedCourse> {
  const now = clock.now()
  const row = await findCourse(db, id, viewer, now)
  if (row === null) throw courseGone()
  return { ...toCourse(row, viewer, now), kbPoints: row.kb_points ?? 0 }
}
