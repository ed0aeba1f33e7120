/**
 * Where each kind of item is stored. Its own folder owns these tables; what both kinds do alike to theirs (drafts,
 * covers, refunds that are due, numbers that are counted again) is written here once, for the table of either kind.
 */
import { sql, type RawBuilder } from 'kysely'
import type { ItemKind } from '#contract/points.ts'

export interface ItemTables {
  /** The narrow one: an item's owner, numbers and state, which lists walk along. */
  readonly narrow: 'lessons' | 'courses'
  /** The wide one: its title, description and cover. */
  readonly contents: 'lesson_contents' | 'course_contents'
  /** How other tables refer to it. */
  readonly id: 'lesson_id' | 'course_id'
  /** Who bought it and who liked it. */
  readonly purchases: 'lesson_purchases' | 'course_purchases'
  readonly likes: 'lesson_likes' | 'course_likes'
  /** What its forms have published. */
  readonly drafts: 'lesson_drafts' | 'course_drafts'
  /** The narrow table's name in statements that show cards. */
  readonly alias: 'l' | 'k'
}

/** The tables of each kind, by name. */
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

/** A kind's narrow table, as the items `i` of a statement. */
export function itemsOf(kind: ItemKind): RawBuilder<unknown> {
  return sql.raw(`${TABLES[kind].narrow} i`)
}
