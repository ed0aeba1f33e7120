import { sql } from 'kysely'
import { WHY, type PersonalData } from '#server/platform/core/personal.ts'

const COUNTS = `a like counts as before; ${WHY.nameless}`

export const personal: PersonalData = {
  exported: {
    likedLessons: (of, after) => sql`
      select t.lesson_id as id, t.created_at as date
      from lesson_likes t where t.user_id = ${of} and t.lesson_id > ${after}`,
    likedCourses: (of, after) => sql`
      select t.course_id as id, t.created_at as date
      from course_likes t where t.user_id = ${of} and t.course_id > ${after}`,
  },
  labels: { likedLessons: 'exportLikedLessons', likedCourses: 'exportLikedCourses' },
  stays: { 'course_likes.user_id': COUNTS, 'lesson_likes.user_id': COUNTS },
}
