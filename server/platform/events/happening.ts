/**
 * Records what happened to people's things in the same statement that does it, by appending one narrow row, so
 * that writers don't wait for each other. Within a second or two settling.ts turns the rows into notices.
 */
import { sql, type RawBuilder } from 'kysely'
import type { NoticeKind } from '#contract/notices.ts'
import type { ItemKind } from '#contract/points.ts'

/** Columns of a happening, as expressions over `from`. */
export interface HappeningParts {
  readonly kind: NoticeKind
  /** The recipient, or for `published` the author whose followers are notified. */
  readonly person: RawBuilder<unknown>
  /** The people who acted, as an array. Absent if nobody is named. */
  readonly actors?: RawBuilder<unknown>
  readonly item?: {
    readonly kind: ItemKind | RawBuilder<unknown>
    readonly id: RawBuilder<unknown>
    /** Only for items that may be deleted before the row is read. */
    readonly title?: RawBuilder<unknown>
  }
  readonly comment?: RawBuilder<unknown>
  readonly detail?: RawBuilder<unknown>
  readonly amount?: RawBuilder<unknown>
  readonly note?: RawBuilder<unknown>
  readonly at: Date
  /** Delays the notice. */
  readonly afterMinutes?: number
  /** The source of one happening per row. Absent for a single one. */
  readonly from?: RawBuilder<unknown>
}

const NOTHING = sql`null`

/** Returns a statement for the same transaction, or for use inside another statement. */
export function happened(parts: HappeningParts): RawBuilder<unknown> {
  const { kind, person, item, at, from, afterMinutes = 0 } = parts
  const itemKind = typeof item?.kind === 'string' ? sql`${sql.lit(item.kind)}::text` : item?.kind
  return sql`insert into happenings (kind, person_id, actor_ids, item_kind, item_id, item_title, comment_id, detail,
      amount, note, happened_at, due_at)
    select ${sql.lit(kind)}, ${person}, ${parts.actors ?? sql`'{}'::uuid[]`}, ${itemKind ?? NOTHING},
      ${item?.id ?? NOTHING}, ${item?.title ?? NOTHING}, ${parts.comment ?? NOTHING}, ${parts.detail ?? NOTHING},
      ${parts.amount ?? sql`0`}, ${parts.note ?? NOTHING}, ${at}::timestamptz,
      ${at}::timestamptz + ${sql.lit(`${afterMinutes} minutes`)}::interval
    ${from === undefined ? sql`` : sql`from ${from}`}`
}
