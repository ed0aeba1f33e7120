import { sql } from 'kysely'
import { lessons, type LessonCard } from '#contract/lessons.ts'
import type { Reads } from '#server/platform/core/reads.ts'
import { createAnswerCache } from '#server/items/shared/caches/answer-cache.ts'
import type { CardSource } from '#server/items/shared/listing.ts'
import { readAll } from '#server/items/shared/whole-list.ts'
import type { Core } from '#server/platform/core/core.ts'
import { wholeList, type WholeList } from '#server/kernel/http/whole-lists.ts'
import { cardColumns, cardJoins, toCard, type CardRow } from '#server/items/lessons/cards.ts'
import { isStale } from '#server/platform/events/catalogue.ts'

export const lessonCards: CardSource<CardRow, LessonCard> = {
  kind: 'lesson',
  columns: cardColumns,
  joinPage: (viewerId) => sql`join lessons l on l.id = page.id ${cardJoins(viewerId)}`,
  toCard,
}

/** `GET /api/lesson/all` without a page. */
export function allLessons(reads: Reads): WholeList {
  return wholeList(lessons.all, readAll(reads, lessonCards))
}

/** Number of lessons on the shelf of the home page. */
const SHELF = 34
interface Newest {
  readonly id: number
  readonly title: string
}

/** Changes drop it. Writes on other nodes are visible after a second at the latest, as in lists. */
const NEWEST = { most: 1, freshMs: 1000 }

/** Returns a function that reads the newest lessons for the shelf of the home page. All callers share one read. */
export function createNewest({
  clock,
  events,
  reads,
}: Pick<Core, 'clock' | 'events' | 'reads'>): () => Promise<Newest[]> {
  const cache = createAnswerCache<Newest[]>(clock, NEWEST)
  events.subscribe((event) => {
    if (isStale(event, 'items')) cache.drop()
  })
  return () =>
    cache.load('', async () => {
      const { rows } = await sql<Newest>`
        select l.id, c.title from (
          select id from lessons where deleted_at is null order by id desc limit ${sql.lit(SHELF)}
        ) l join lesson_contents c on c.lesson_id = l.id order by l.id desc`.execute(
        reads.shared(null),
      )
      return rows
    })
}
