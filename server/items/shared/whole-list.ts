import { sql, type RawBuilder } from 'kysely'
import { EXACT_TOTAL } from '#contract/limits.ts'
import type { ItemKind } from '#contract/points.ts'
import { CUSTOM_PLAN, type Db } from '#server/platform/db/connect.ts'
import type { Reads } from '#server/platform/core/reads.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { readInBatches } from '#server/kernel/http/whole-lists.ts'
import type { CardSource, ItemRow } from '#server/items/shared/listing.ts'
import { columnOf, sortedField } from '#server/items/shared/number-sources.ts'
import { conditionsOf, orderOf, type ItemQuery } from '#server/items/shared/search.ts'
import { itemsOf } from '#server/items/shared/tables.ts'

const BATCH = 500

/** Reads all matches of a query, in its order. */
export function readAll<Row extends ItemRow, Card>(reads: Reads, source: CardSource<Row, Card>) {
  return {
    isLong: (query: ItemQuery) => isLong(reads.of(null), source.kind, query),
    readBatches: async function* (query: ItemQuery, viewer: Viewer | null) {
      // The whole list is read from one database server, because replicas may be at different positions.
      const db = reads.of(viewer)
      const read = (after: Row | undefined) => readBatch(db, source, { query, viewer, after })
      for await (const rows of readInBatches<Row>(BATCH, read))
        yield rows.map((row) => source.toCard(row, viewer))
    },
  }
}

interface Batch<Row> {
  readonly query: ItemQuery
  readonly viewer: Viewer | null
  readonly after: Row | undefined
}

async function readBatch<Row extends ItemRow>(
  db: Db,
  { kind, columns, joinPage }: CardSource<Row, unknown>,
  { query, viewer, after }: Batch<Row>,
): Promise<Row[]> {
  const { rows } = await sql<Row>`${CUSTOM_PLAN}
    with page as materialized (
      select i.id from ${itemsOf(kind)} where ${conditionsOf(kind, query, 'looked up')}${beyond(query, after)}
      order by ${orderOf(query.sort, 'i')} limit ${sql.lit(BATCH)}
    )
    select * from (select ${columns} from page ${joinPage(viewer?.id ?? null)}) cards
    order by ${orderOf(query.sort, 'cards')}`.execute(db)
  return rows
}

function beyond({ sort }: ItemQuery, after: ItemRow | undefined): RawBuilder<unknown> {
  if (after === undefined) return sql``
  if (sort === 'none') return sql` and i.id < ${after.id}`
  return sql` and (i.${columnOf(sort)}, i.id) < (${after[sortedField(sort)]}, ${after.id})`
}

async function isLong(db: Db, kind: ItemKind, query: ItemQuery): Promise<boolean> {
  const { rows } = await sql<{ found: number }>`${CUSTOM_PLAN}
    select count(*) as found from (select 1 from ${itemsOf(kind)} where ${conditionsOf(kind, query, 'looked up')} limit ${sql.lit(EXACT_TOTAL + 1)}) counted`.execute(
    db,
  )
  return (rows[0]?.found ?? 0) > EXACT_TOTAL
}
