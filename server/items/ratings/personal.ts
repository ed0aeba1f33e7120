/** Personal data in ratings: those that a person gave, and their answers to those of others. */
import { sql } from 'kysely'
import { WHY, type PersonalData } from '#server/platform/core/personal.ts'
import { forgetRatings } from '#server/items/ratings/leaving.ts'

export const personal: PersonalData = {
  exported: {
    ratings: (of, after) => sql`
      select r.id, r.lesson_id as lesson, r.course_id as course, r.stars, r.text, r.prediction as opinion, r.confidence,
        r.why, r.language, r.model as "opinionBy", r.judged_at as "judgedAt", r.created_at as date, r.edited_at as edited
      from ratings r
      -- includes those removed with the right to the item
      where r.user_id = ${of} and (r.deleted_at is null or r.deleted_by is null) and r.id > ${after}`,
    ratingAnswers: (of, after) => sql`
      select r.id, r.lesson_id as lesson, r.course_id as course, r.answer as text, r.answered_at as date
      from ratings r
      where r.answer is not null and r.deleted_at is null and r.id > ${after} and (
        exists (select from lessons l where l.id = r.lesson_id and l.owner_id = ${of})
        or exists (select from courses k where k.id = r.course_id and k.owner_id = ${of})
      )`,
  },
  labels: { ratings: 'ratings', ratingAnswers: 'exportRatingAnswers' },
  // Ratings depend on the right to the item, which ends with the account.
  erase: ({ db }, userId) => forgetRatings(db, userId),
  stays: { 'ratings.deleted_by': WHY.duty },
}
