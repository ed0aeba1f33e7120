import { sql, type RawBuilder } from 'kysely'
import type { LessonCard } from '#contract/lessons.ts'
import {
  sharedCardColumns,
  sharedCardJoins,
  toSharedCard,
  type SharedCardRow,
} from '#server/items/shared/cards.ts'
import { isFreePreview } from '#server/items/shared/entitlement.ts'
import type { Viewer } from '#server/kernel/call.ts'

/** The result of a statement with the columns and joins below. */
export type CardRow = SharedCardRow<'lesson'> & {
  readonly free: boolean
  readonly opening: string | null
}

/** The columns that details share with cards. They need `l` (lessons) and the joins of `cardJoins`. */
export const detailColumns = sql`${sharedCardColumns('lesson')}, c.tags, c.opening`

/** They need the same. */
export const cardColumns = sql`${detailColumns}, ${isFreePreview('l')} as free`

/** Joins what a card needs to `l` (lessons). `viewerId` is null for guests. */
export function cardJoins(viewerId: string | null): RawBuilder<unknown> {
  return sharedCardJoins('lesson', viewerId)
}

export function toCard(row: CardRow, viewer: Viewer | null): LessonCard {
  return { ...toSharedCard('lesson', row, viewer), opening: row.opening, free: row.free }
}
