/** Finds the items of a feed: the newest ones, as guests see them in lists. */
import { sql, type RawBuilder } from 'kysely'
import type { CourseCard } from '#contract/courses.ts'
import { foldTag } from '#contract/fold.ts'
import type { LessonCard } from '#contract/lessons.ts'
import { FEED_ITEMS } from '#contract/limits.ts'
import type { ItemKind } from '#contract/points.ts'
import { courseCards } from '#server/items/courses/list.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { createCardReader } from '#server/items/shared/listing.ts'
import { itemsOf, TABLES } from '#server/items/shared/tables.ts'
import { lessonCards } from '#server/items/lessons/list.ts'

export interface FeedItem {
  readonly kind: ItemKind
  readonly card: LessonCard | CourseCard
  /** When it was published or last edited. */
  readonly updated: Date
}

export type Subject =
  | { readonly of: 'lessons' }
  | { readonly of: 'courses' }
  | { readonly of: 'tag'; readonly tag: string }
  | { readonly of: 'author'; readonly id: string }

const MOST = sql.lit(FEED_ITEMS)
/** Only this many of a tag's newest lessons are searched for courses with the tag. */
const LOOKED_THROUGH = sql.lit(4 * FEED_ITEMS)

const readLessons = createCardReader(lessonCards)
const readCourses = createCardReader(courseCards)

/** Returns the newest first. */
export async function findFeedItems(db: Db, subject: Subject): Promise<FeedItem[]> {
  const kinds = kindsOf(subject)
  const items = await Promise.all(kinds.map((kind) => findNewest(db, kind, subject)))
  return items
    .flat()
    .toSorted((one, other) => Date.parse(other.card.date) - Date.parse(one.card.date))
    .slice(0, FEED_ITEMS)
}

function kindsOf({ of }: Subject): readonly ItemKind[] {
  if (of === 'lessons') return ['lesson']
  return of === 'courses' ? ['course'] : ['lesson', 'course']
}

async function findNewest(db: Db, kind: ItemKind, subject: Subject): Promise<FeedItem[]> {
  const { contents, id } = TABLES[kind]
  const { rows } = await sql<{ id: number; updated: Date }>`
    select i.id, coalesce(c.edited_at, i.created_at) as updated from (${newest(kind, subject)}) i
    join ${sql.raw(contents)} c on c.${sql.raw(id)} = i.id
    order by i.id desc limit ${MOST}`.execute(db)
  const updated = new Map(rows.map((row) => [row.id, row.updated]))
  const ids = [...updated.keys()]
  if (ids.length === 0) return []
  const cards = await (kind === 'lesson' ? readLessons : readCourses)(db, ids, null)
  return cards.map((card) => ({ kind, card, updated: updated.get(card.id) ?? new Date(card.date) }))
}

/**
 * Selects `id, created_at` of the newest items of a kind that aren't deleted. Walks the primary key,
 * `lessons_owner` and `courses_owner`, or the key of `lesson_tags` with `course_lessons_lesson`.
 */
function newest(kind: ItemKind, subject: Subject): RawBuilder<unknown> {
  const columns = sql`i.id, i.created_at`
  const last = sql`order by i.id desc limit ${MOST}`
  const living = sql`${itemsOf(kind)} where i.deleted_at is null`
  switch (subject.of) {
    case 'lessons':
    case 'courses':
      return sql`select ${columns} from ${living} ${last}`
    case 'author':
      return sql`select ${columns} from ${living} and i.owner_id = ${subject.id}::uuid ${last}`
    case 'tag': {
      const tagged = sql`(
        select lesson_id from lesson_tags where tag = ${foldTag(subject.tag)}
        order by lesson_id desc limit ${LOOKED_THROUGH}
      ) tagged`
      return kind === 'lesson'
        ? sql`select ${columns} from ${tagged} join lessons i on i.id = tagged.lesson_id ${last}`
        : sql`select ${columns} from (
              select distinct held.course_id from ${tagged}
              join course_lessons held on held.lesson_id = tagged.lesson_id
            ) holding cross join lateral (
              -- OFFSET 0 forces a lookup by key for each row, whatever the planner estimates.
              select * from courses where id = holding.course_id and deleted_at is null offset 0
            ) i ${last}`
    }
    default:
      return subject satisfies never
  }
}

/** Returns false for unknown people and erased accounts. */
export async function isPerson(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}
