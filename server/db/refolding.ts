/**
 * Folds again what versions with another folding wrote (contract/fold.ts). The rows are found by a condition with a
 * partial index, which is empty once all are done, so what an older version still writes is found as well.
 */
import { sql, type RawBuilder } from 'kysely'
import { foldTerm } from '#contract/fold.ts'
import type { Db, Tx } from '#server/db/connect.ts'

const BATCH = 500
/** What one run does at most; the rest is left to the next one. */
const BATCHES = 200

export interface FoldedColumn {
  readonly table: 'users' | 'lessons' | 'courses' | 'comments' | 'notes'
  readonly column: 'name_folded' | 'title_folded' | 'text_folded'
  /** The column with what is folded. Folding what was folded before is enough. */
  readonly from: 'username_folded' | 'title_folded' | 'text'
  /** On `t`, a row of the table; written like the condition of the partial index. */
  readonly stale: RawBuilder<boolean>
  /** Called in the transaction with the ids of the rows of a batch. */
  readonly after?: (tx: Tx, ids: readonly string[]) => Promise<void>
}

/** Folds rows in batches. Safe on several processes at once. */
export async function refold(db: Db, column: FoldedColumn): Promise<void> {
  await inBatches((size) => db.transaction().execute((tx) => refoldBatch(tx, column, size)))
}

/** Runs a batch, which returns its number of rows, until one is not full, 200 times at most. */
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
