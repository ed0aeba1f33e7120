/** Updates the search data of items that an older version folded differently. */
import { sql } from 'kysely'
import type { ItemKind } from '#contract/points.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { inBatches, refold } from '#server/platform/db/refolding.ts'
import { TABLES } from '#server/items/shared/tables.ts'

const KINDS = ['lesson', 'course'] as const satisfies readonly ItemKind[]
/** Words per batch; each may be in many items. */
const WORDS = 20

/** Folds titles and marks the words of their items as due. */
export async function refoldTitles(db: Db): Promise<void> {
  for (const kind of KINDS)
    await refold(db, {
      table: TABLES[kind].narrow,
      column: 'title_folded',
      from: 'title_folded',
      stale: sql`is_stale_fold(t.title_folded)`,
      after: async (tx, ids) => {
        await sql`
          insert into search_due (kind, item_id) select ${kind}, id from unnest(${ids}::bigint[]) id
          on conflict do nothing`.execute(tx)
      },
    })
}

/** Removes words from the dictionary that are folded differently now, and marks the items with them as due. */
export async function refoldWords(db: Db): Promise<void> {
  await inBatches((size) =>
    db.transaction().execute(async (tx) => ((await takeStaleWords(tx)) < WORDS ? 0 : size)),
  )
}

async function takeStaleWords(tx: Tx): Promise<number> {
  const { rows } = await sql<{ word: string }>`
    delete from search_words where word in (
      select word from search_words where is_stale_fold(word) order by word limit ${sql.lit(WORDS)}
      for update skip locked
    ) returning word`.execute(tx)
  const words = rows.map(({ word }) => word)
  if (words.length === 0) return 0
  await sql`
    insert into search_due (kind, item_id)
    select 'lesson', lesson_id from lesson_words where words && ${words}::text[]
    union all select 'course', course_id from course_words where words && ${words}::text[]
    on conflict do nothing`.execute(tx)
  return words.length
}
