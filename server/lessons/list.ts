/** Lists of lessons. */
import { sql } from 'kysely'
import { lessons, type LessonCard } from '#contract/lessons.schemas.ts'
import type { LessonQuery } from '#contract/lesson-lists.schemas.ts'
import type { Db } from '#server/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { wholeList, type WholeList } from '#server/kernel/http/whole-lists.ts'
import { readAll } from '#server/items/whole-list.ts'
import { cardColumns, cardJoins, toCard, type CardRow } from '#server/lessons/cards.ts'
import {
  listHeld,
  listItems,
  listTop,
  type CardSource,
  type Listed,
} from '#server/items/listing.ts'
import { isReadable } from '#server/items/entitlement.ts'

export const lessonCards: CardSource<CardRow, LessonCard> = {
  kind: 'lesson',
  columns: cardColumns,
  joinPage: (viewerId) => sql`join lessons l on l.id = page.id ${cardJoins(viewerId)}`,
  toCard,
}

/** One page of what a query finds; see listItems. */
export function listLessons(
  db: Db,
  query: LessonQuery,
  viewer: Viewer | null,
  page: number,
  surelyMany = false,
): Promise<Listed<LessonCard>> {
  return listItems(db, lessonCards, query, viewer, { page, surelyMany })
}

/** `GET /api/lesson/all` without a page. */
export function allLessons(db: Db): WholeList {
  return wholeList(lessons.all, readAll(db, lessonCards))
}

/** The 8 most viewed. */
export function listPopular(db: Db, viewer: Viewer | null): Promise<LessonCard[]> {
  return listTop(db, lessonCards, viewer, 'views')
}

/** As many as stand on the shelf of the home page. */
const SHELF = 34

export async function listNewest(db: Db): Promise<{ id: number; title: string }[]> {
  const { rows } = await sql<{ id: number; title: string }>`
    select l.id, c.title from (
      select id from lessons where deleted_at is null order by id desc limit ${sql.lit(SHELF)}
    ) l join lesson_contents c on c.lesson_id = l.id order by l.id desc`.execute(db)
  return rows
}

/** What the viewer bought, newest purchase first. */
export function listBought(db: Db, viewer: Viewer, page: number): Promise<Listed<LessonCard>> {
  const held = sql`
    select p.lesson_id as id, p.created_at as at from lesson_purchases p
    join lessons l on l.id = p.lesson_id where p.user_id = ${viewer.id} and ${isReadable('l')}`
  return listHeld(db, lessonCards, viewer, { page, held })
}

/** What the viewer made, newest first. */
export function listOwn(db: Db, viewer: Viewer, page: number): Promise<Listed<LessonCard>> {
  const held = sql`
    select l.id, l.created_at as at from lessons l where l.owner_id = ${viewer.id} and l.deleted_at is null`
  return listHeld(db, lessonCards, viewer, { page, held })
}
