/**
 * The tables of each kind of item, which belong to the kind's folder. What both kinds do in the same way (drafts,
 * covers, outstanding refunds, recounts) is written once, in terms of these names.
 */
import { sql, type RawBuilder } from 'kysely'
import type { ItemKind } from '#contract/points.ts'

export interface ItemTables {
  /** The narrow table: owner, numbers and state, by which lists are found. */
  readonly narrow: 'lessons' | 'courses'
  /** The wide table: title, description and cover. */
  readonly contents: 'lesson_contents' | 'course_contents'
  /** The column by which other tables refer to it. */
  readonly id: 'lesson_id' | 'course_id'
  readonly purchases: 'lesson_purchases' | 'course_purchases'
  readonly likes: 'lesson_likes' | 'course_likes'
  /** Ids of published drafts. */
  readonly drafts: 'lesson_drafts' | 'course_drafts'
  /** The narrow table's alias in statements that read cards. */
  readonly alias: 'l' | 'k'
}

export const TABLES: Readonly<Record<ItemKind, ItemTables>> = {
  lesson: {
    narrow: 'lessons',
    contents: 'lesson_contents',
    id: 'lesson_id',
    purchases: 'lesson_purchases',
    likes: 'lesson_likes',
    drafts: 'lesson_drafts',
    alias: 'l',
  },
  course: {
    narrow: 'courses',
    contents: 'course_contents',
    id: 'course_id',
    purchases: 'course_purchases',
    likes: 'course_likes',
    drafts: 'course_drafts',
    alias: 'k',
  },
}

/** The narrow table with the alias `i`. */
export function itemsOf(kind: ItemKind): RawBuilder<unknown> {
  return sql.raw(`${TABLES[kind].narrow} i`)
}
