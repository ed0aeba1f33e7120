/** Recounts the numbers that are stored because counting is too slow for a page. */
import { sql } from 'kysely'
import type { ItemKind } from '#contract/points.ts'
import { unreadAtMost } from '#server/community/chat/recount.ts'
import type { Rule } from '#server/operate/audit/rules/rule.ts'
import { miscounted } from '#server/items/follows/recount.ts'
import { isReadable } from '#server/items/shared/entitlement.ts'
import { storedNumbers } from '#server/items/shared/number-sources.ts'
import { itemsOf } from '#server/items/shared/tables.ts'

/** Covers all declared numbers, including future ones. Skips deleted items, because nobody sees their numbers. */
function numbersOf(kind: ItemKind): Rule['wrong'] {
  const isWrong = storedNumbers(kind).flatMap(({ column, counted }) =>
    counted === null ? [] : [sql`i.${sql.ref(column)} <> ${counted}`],
  )
  return sql`
    select ${sql.lit(kind)} || ' ' || i.id as id from ${itemsOf(kind)}
    where (i.deleted_at is null or i.kept_for_buyers) and (${sql.join(isWrong, sql` or `)})`
}

/** The rules that `--repair` fixes; see repair.ts. */
export const COUNTS: readonly Rule[] = [
  {
    name: 'lessonNumbers',
    what: 'The likes, comments or ratings on the card of a lesson, the stars of those, or its place among the best rated are not what they are when they are counted.',
    wrong: numbersOf('lesson'),
  },
  {
    name: 'courseNumbers',
    what: 'The same of a course.',
    wrong: numbersOf('course'),
  },
  {
    name: 'courseLessonCount',
    what: 'A course holds more or fewer lessons than it says.',
    wrong: sql`
      select 'course ' || k.id as id
      from courses k left join (
        select course_id, count(*) as lessons from course_lessons group by course_id
      ) held on held.course_id = k.id
      where ${isReadable('k')} and k.lesson_count <> coalesce(held.lessons, 0)`,
  },
  {
    // Viewers are stored for two days only, so that a higher number of views is correct.
    name: 'viewsTooFew',
    what: 'A lesson has fewer views than people looked at it since yesterday.',
    wrong: sql`
      select 'lesson ' || l.id as id
      from lessons l join (
        select lesson_id, count(*) as views from lesson_views group by lesson_id
      ) noted on noted.lesson_id = l.id
      where ${isReadable('l')} and l.views < noted.views`,
  },
  {
    name: 'followersNumber',
    what: 'The number of followers of a person is not as many as there are.',
    wrong: sql`select 'person ' || "authorId" as id from (${miscounted}) wrong`,
  },
  {
    name: 'unreadTooMany',
    what: 'A conversation says that more messages are unread than its person was sent.',
    wrong: sql`
      select 'person ' || c.user_id || ', with ' || c.other_id as id
      from conversations c
      where c.unread > 0 and c.unread > ${unreadAtMost}`,
  },
]
