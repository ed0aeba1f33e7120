/** Numbers that are stored because counting takes too long for a page: each counted again. */
import { sql } from 'kysely'
import type { ItemKind } from '#contract/points.ts'
import { unreadAtMost } from '#server/chat/recount.ts'
import type { Rule } from '#server/audit/rules/rule.ts'
import { miscounted } from '#server/follows/recount.ts'
import { isReadable } from '#server/items/entitlement.ts'
import { storedNumbers } from '#server/items/number-sources.ts'
import { itemsOf } from '#server/items/tables.ts'

/** Every number of the shelf that can be counted again, a new one too. Those of deleted items are shown to nobody. */
function numbersOf(kind: ItemKind): Rule['wrong'] {
  const isWrong = storedNumbers(kind).flatMap(({ column, counted }) =>
    counted === null ? [] : [sql`i.${sql.ref(column)} <> ${counted}`],
  )
  return sql`
    select ${sql.lit(kind)} || ' ' || i.id as id from ${itemsOf(kind)}
    where (i.deleted_at is null or i.kept_for_buyers) and (${sql.join(isWrong, sql` or `)})`
}

/** What `--repair` mends; see repair.ts. */
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
    // Who looked is forgotten after two days, so that more views than these are right.
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
