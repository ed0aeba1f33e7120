/** Cards of lessons: what every list of them selects and shows. */
import { sql, type RawBuilder } from 'kysely'
import type { LessonCard } from '#contract/lessons.ts'
import {
  sharedCardColumns,
  sharedCardJoins,
  toSharedCard,
  type SharedCardRow,
} from '#server/items/cards.ts'
import { isFreePreview } from '#server/items/entitlement.ts'
import type { Viewer } from '#server/kernel/call.ts'

/** What a statement with the columns and joins below gives for each lesson. */
export type CardRow = SharedCardRow<'lesson'> & {
  readonly free: boolean
  readonly opening: string | null
}

/** What details show of a card. Needs `l` (lessons) and the joins of `cardJoins`. */
export const detailColumns = sql`${sharedCardColumns('lesson')}, c.tags, c.opening`

/** Needs the same. */
export const cardColumns = sql`${detailColumns}, ${isFreePreview('l')} as free`

/** Joins to `l` (lessons) what a card shows besides; `viewerId` null: a guest. */
export function cardJoins(viewerId: string | null): RawBuilder<unknown> {
  return sharedCardJoins('lesson', viewerId)
}

/** A card as the viewer sees it; null: a guest. */
export function toCard(row: CardRow, viewer: Viewer | null): LessonCard {
  return { ...toSharedCard('lesson', row, viewer), opening: row.opening, free: row.free }
}
