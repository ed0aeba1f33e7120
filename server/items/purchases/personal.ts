import { sql } from 'kysely'
import { WHY, type PersonalData } from '#server/platform/core/personal.ts'

export const personal: PersonalData = {
  exported: {
    boughtLessons: (of, after) => sql`
      select t.lesson_id as id, t.price, t.with_token as "withAccessToken", t.created_at as date
      from lesson_purchases t where t.user_id = ${of} and t.lesson_id > ${after}`,
    boughtCourses: (of, after) => sql`
      select t.course_id as id, t.price, t.lessons as "lessonCount", t.refunded, t.with_token as "withAccessToken", t.created_at as date
      from course_purchases t where t.user_id = ${of} and t.course_id > ${after}`,
  },
  // A former member's debt is never repaid.
  erase: async ({ db }, userId) => {
    await db.deleteFrom('trusted_shares').where('user_id', '=', userId).execute()
  },
  labels: { boughtLessons: 'boughtLessons', boughtCourses: 'boughtCourses' },
  stays: {
    'course_purchases.user_id': WHY.books,
    'lesson_purchases.user_id': WHY.books,
  },
  notExported: { 'trusted_shares.user_id': WHY.workings },
}
