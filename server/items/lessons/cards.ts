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

/** Fields that only lessons have, on cards, in details and in the export. */
interface LessonFields {
  readonly opening: string | null
}
export const lessonFields = ({ opening }: LessonFields): LessonFields => ({ opening })
/** They need `c` (lesson_contents). */
export const lessonColumns = sql`c.opening`

/** The result of a statement with the columns and joins below. */
export type CardRow = SharedCardRow<'lesson'> & LessonFields & { readonly free: boolean }

/** The columns that details share with cards. They need `l` (lessons) and the joins of `cardJoins`. */
export const detailColumns = sql`${sharedCardColumns('lesson')}, c.tags, ${lessonColumns}`

/** They need the same. */
export const cardColumns = sql`${detailColumns}, ${isFreePreview('l')} as free`

/** Joins what a card needs to `l` (lessons). `viewerId` is null for guests. */
export function cardJoins(viewerId: string | null): RawBuilder<unknown> {
  return sharedCardJoins('lesson', viewerId)
}

export function toCard(row: CardRow, viewer: Viewer | null): LessonCard {
  return { ...toSharedCard('lesson', row, viewer), ...lessonFields(row), free: row.free }
}
