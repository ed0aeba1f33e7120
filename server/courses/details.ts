/** Details of one course: its lessons in order, and which of them are open to the viewer. */
import { sql } from 'kysely'
import type { Course, CourseLesson, EditedCourse } from '#contract/courses.ts'
import {
  courseCardColumns,
  courseCardJoins,
  toCourseBase,
  type CourseCardRow,
} from '#server/courses/cards.ts'
import type { Db } from '#server/db/connect.ts'
import { pictureUrl } from '#server/files/pictures.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { notFound } from '#server/kernel/errors.ts'
import { rightsOf, type Standing } from '#server/lessons/access.ts'
import { standingColumns } from '#server/lessons/standing.ts'

interface LessonOfCourse extends Standing {
  readonly id: number
  readonly title: string
  readonly picture: string | null
  readonly articleMinutes: number
}

export interface CourseRow extends CourseCardRow {
  readonly version: number
  readonly free_preview: number | null
  /** In order. */
  readonly listed: readonly LessonOfCourse[]
  /** kbPoints of the viewer; null for a guest. */
  readonly kb_points: number | null
}

export const courseGone = () => notFound('courseNotFound')

/** A course with its owner, pictures, lessons, and what all of it is to the viewer, in one round trip. */
export async function findCourse(
  db: Db,
  id: number,
  viewerId: string | null,
): Promise<CourseRow | null> {
  const { rows } = await sql<CourseRow>`
    select ${courseCardColumns}, c.version, c.free_preview,
      (select greatest(0, pb.net) from point_balances pb where pb.user_id = ${viewerId}::uuid) as kb_points,
      (
        select coalesce(json_agg(entry order by entry.position), '[]') from (
          select held.position, l.id, inside.title, lp.key as picture,
            inside.article_minutes as "articleMinutes", ${standingColumns(viewerId)}
          from course_lessons held
          join lessons l on l.id = held.lesson_id
          join lesson_contents inside on inside.lesson_id = l.id
          left join pictures lp on lp.id = inside.picture_id
          where held.course_id = k.id
        ) entry
      ) as listed
    from courses k ${courseCardJoins(viewerId)}
    where k.id = ${id} and k.deleted_at is null`.execute(db)
  return rows[0] ?? null
}

function toLessonOfCourse(lesson: LessonOfCourse, viewer: Viewer | null): CourseLesson {
  const { id, title, picture, articleMinutes } = lesson
  return {
    id,
    title,
    thumbnail: picture === null ? `/art/cover/${id}.svg` : pictureUrl(picture, 640),
    articleMinutes,
    can: { see: rightsOf(viewer, lesson).see },
  }
}

export function toCourse(row: CourseRow, viewer: Viewer | null): Course {
  const { bought, liked, owner_id: ownerId } = row
  return {
    ...toCourseBase(row),
    can: rightsOf(viewer, { ownerId, bought, liked }),
    liked,
    bought,
    version: row.version,
    commentCount: row.comments,
    comments: row.comments,
    freePreview: row.free_preview,
    lessons: row.listed.map((lesson) => toLessonOfCourse(lesson, viewer)),
  }
}

/** For who has just written it, with their kbPoints. @throws Refusal 404 when it was deleted since */
export async function readWrittenCourse(db: Db, viewer: Viewer, id: number): Promise<EditedCourse> {
  const row = await findCourse(db, id, viewer.id)
  if (row === null) throw courseGone()
  return { ...toCourse(row, viewer), kbPoints: row.kb_points ?? 0 }
}
