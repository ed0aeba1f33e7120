/**
 * What happens to people's things is noted here where it happens, in the same statement: one narrow row is appended,
 * and nobody waits for anybody. Within a second or two it is taken and becomes notices (settling.ts).
 */
import { sql, type RawBuilder } from 'kysely'
import type { NoticeKind } from '#contract/notices.ts'
import type { ItemKind } from '#contract/points.ts'

/** Columns of a happening, as expressions over `from`. */
export interface HappeningParts {
  readonly kind: NoticeKind
  /** Whom it is for; with `published` the one whose followers are told. */
  readonly person: RawBuilder<unknown>
  /** Who did it, as an array; absent: nobody who is named. */
  readonly actors?: RawBuilder<unknown>
  readonly item?: {
    readonly kind: ItemKind | RawBuilder<unknown>
    readonly id: RawBuilder<unknown>
    /** Only of what may be gone when it is read. */
    readonly title?: RawBuilder<unknown>
  }
  readonly comment?: RawBuilder<unknown>
  readonly detail?: RawBuilder<unknown>
  readonly amount?: RawBuilder<unknown>
  readonly note?: RawBuilder<unknown>
  readonly at: Date
  /** It is told of so much later. */
  readonly afterMinutes?: number
  /** What stands behind `from`: one happening for each row; absent: a single one. */
  readonly from?: RawBuilder<unknown>
}

const NOTHING = sql`null`

/** A statement that notes what happened, to be run in its transaction or to stand as a part of its statement. */
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
