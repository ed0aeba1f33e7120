/** What a person liked, newest like first. */
import { sql } from 'kysely'
import type { CourseCard } from '#contract/courses.schemas.ts'
import type { LessonCard } from '#contract/lessons.schemas.ts'
import {
  courseCardColumns,
  courseCardJoins,
  toCourseCard,
  type CourseCardRow,
} from '#server/courses/cards.ts'
import type { Db } from '#server/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { cardColumns, cardJoins, toCard, type CardRow } from '#server/lessons/cards.ts'

/** Of each kind. */
const MOST = 200

export async function listLikedLessons(db: Db, viewer: Viewer): Promise<LessonCard[]> {
  const { rows } = await sql<CardRow>`
    with page as materialized (
      select liked.lesson_id as id, liked.created_at as at
      from lesson_likes liked join lessons l on l.id = liked.lesson_id and l.deleted_at is null
      where liked.user_id = ${viewer.id}
      order by liked.created_at desc, liked.lesson_id desc limit ${sql.lit(MOST)}
    )
    select ${cardColumns} from page join lessons l on l.id = page.id ${cardJoins(viewer.id)}
    order by page.at desc, l.id desc`.execute(db)
  return rows.map((row) => toCard(row, viewer))
}

export async function listLikedCourses(db: Db, viewer: Viewer): Promise<CourseCard[]> {
  const { rows } = await sql<CourseCardRow>`
    with page as materialized (
      select liked.course_id as id, liked.created_at as at
      from course_likes liked join courses k on k.id = liked.course_id and k.deleted_at is null
      where liked.user_id = ${viewer.id}
      order by liked.created_at desc, liked.course_id desc limit ${sql.lit(MOST)}
    )
    select ${courseCardColumns} from page join courses k on k.id = page.id ${courseCardJoins(viewer.id)}
    order by page.at desc, k.id desc`.execute(db)
  return rows.map((row) => toCourseCard(row, viewer))
}
