/**
 * Folds text again that older versions folded differently (contract/fold.ts). A partial index finds the stale rows
 * and is empty once all are done, so rows that an older version still writes are found too.
 */
import { sql, type RawBuilder } from 'kysely'
import { foldTerm } from '#contract/fold.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'

const BATCH = 500
/** Maximum per run; the next run continues. */
const BATCHES = 200

export interface FoldedColumn {
  readonly table: 'users' | 'lessons' | 'courses' | 'comments' | 'notes'
  readonly column: 'name_folded' | 'title_folded' | 'text_folded'
  /** The source column; an older folded form is good enough as a source. */
  readonly from: 'username_folded' | 'title_folded' | 'text'
  /** A condition on `t`, a row of the table, written like that of the partial index. */
  readonly stale: RawBuilder<boolean>
  /** Called in the transaction with the ids of a batch. */
  readonly after?: (tx: Tx, ids: readonly string[]) => Promise<void>
}

/** Folds rows in batches. Safe in several processes at once. */
export async function refold(db: Db, column: FoldedColumn): Promise<void> {
  await inBatches((size) => db.transaction().execute((tx) => refoldBatch(tx, column, size)))
}

/** Runs `batch`, which returns its number of rows, until one isn't full, at most 200 times. */
export async function inBatches(batch: (size: number) => Promise<number>): Promise<void> {
  for (let done = 0; done < BATCHES; done += 1) if ((await batch(BATCH)) < BATCH) return
}

async function refoldBatch(tx: Tx, to: FoldedColumn, size: number): Promise<number> {
  const table = sql.table(to.table)
  const { rows } = await sql<{ id: string; text: string }>`
    select t.id::text as id, ${sql.ref(`t.${to.from}`)} as text from ${table} t where ${to.stale}
    order by t.id limit ${size} for no key update skip locked`.execute(tx)
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  const key = sql.raw(to.table === 'users' ? 'uuid' : 'bigint')
  await sql`
    update ${table} t set ${sql.ref(to.column)} = given.folded
    from unnest(${ids}::${key}[], ${rows.map(({ text }) => foldTerm(text))}::text[]) as given (id, folded)
    where t.id = given.id`.execute(tx)
  await to.after?.(tx, ids)
  return rows.length
}
