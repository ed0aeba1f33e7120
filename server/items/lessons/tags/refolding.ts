import { sql } from 'kysely'
import { foldTag } from '#contract/fold.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { inBatches } from '#server/platform/db/refolding.ts'

/** Folds tags again that an older version folded differently. */
export async function refoldTags(db: Db): Promise<void> {
  await inBatches((size) => db.transaction().execute((tx) => refoldTagBatch(tx, size)))
}

async function refoldTagBatch(tx: Tx, size: number): Promise<number> {
  // ASCII tags were stored in lower case, which is their folded form.
  const { rows } = await sql<{ tag: string; lesson_id: number }>`
    select tag, lesson_id from lesson_tags
    where not folded and octet_length(tag) <> char_length(tag) order by lesson_id limit ${size}
    for update skip locked`.execute(tx)
  if (rows.length === 0) return 0
  const tags = rows.map(({ tag }) => tag)
  const lessons = rows.map((row) => row.lesson_id)
  await sql`
    delete from lesson_tags t using unnest(${tags}::text[], ${lessons}::bigint[]) as given (tag, lesson_id)
    where t.tag = given.tag and t.lesson_id = given.lesson_id`.execute(tx)
  await sql`
    insert into lesson_tags (tag, lesson_id, folded)
    select distinct tag, lesson_id, true
    from unnest(${tags.map(foldTag)}::text[], ${lessons}::bigint[]) as given (tag, lesson_id)
    on conflict (tag, lesson_id) do update set folded = true`.execute(tx)
  return rows.length
}
