/**
 * Indexes the words by which items are found. Writers only mark an item as due, and a job reads its words: the
 * dictionary is shared by all items, so updating it directly would make writers wait for each other.
 */
import { sql, type RawBuilder } from 'kysely'
import type { ItemKind } from '#contract/points.ts'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { lock, lockName } from '#server/platform/db/locks.ts'
import { TABLES } from '#server/items/shared/tables.ts'
import { jobKind, NoPayload } from '#server/platform/jobs/job.ts'
import { addJobLater } from '#server/platform/jobs/queue.ts'
import { wordsOf } from '#server/items/words/words.ts'

/** Runs after every write, and every minute. */
export const INDEX_WORDS = jobKind('indexWords', NoPayload)

/** Items per batch. */
const BATCH = 500
/** Maximum per run; the next run continues. */
const BATCHES = 200

const WORDS = {
  lesson: { table: 'lesson_words', id: 'lesson_id', more: sql`array_append(c.tags, c.opening)` },
  course: { table: 'course_words', id: 'course_id', more: sql`'{}'::text[]` },
} as const satisfies Record<ItemKind, { table: string; id: string; more: RawBuilder<unknown> }>

/** Marks the words of an item that was written or deleted; they are read when the transaction has committed. */
export async function markWords(tx: Tx, kind: ItemKind, id: number): Promise<void> {
  // Updates even an existing row to lock it: a job that took it before this commits would read the old words.
  await sql`
    insert into search_due (kind, item_id) values (${kind}, ${id})
    on conflict (kind, item_id) do update set kind = excluded.kind`.execute(tx)
  await addJobLater(tx, INDEX_WORDS, {})
}

/** Reads the words of all due items. Safe in several processes at once. */
export async function indexWords(db: Db): Promise<void> {
  for (const kind of ['lesson', 'course'] as const) {
    for (let done = 0; done < BATCHES; done += 1)
      if ((await db.transaction().execute((tx) => indexBatch(tx, kind))) < BATCH) break
  }
}

interface ItemTexts {
  readonly id: number
  readonly texts: string[]
}

/** Returns the number of items. */
async function indexBatch(tx: Tx, kind: ItemKind): Promise<number> {
  const due = await takeDue(tx, kind)
  if (due.length === 0) return 0
  // Nobody may add a word to the dictionary while this decides whether any item still has it.
  await lock(tx, lockName.dictionary)
  const before = await readWords(tx, kind, due)
  const { narrow, contents, id } = TABLES[kind]
  const { rows } = await sql<ItemTexts>`
    select i.id, array_remove(array[c.title, c.description] || ${WORDS[kind].more}, null) as texts
    from ${sql.table(narrow)} i join ${sql.table(contents)} c on c.${sql.ref(id)} = i.id
    where i.id = any(${due}::bigint[]) and i.deleted_at is null`.execute(tx)
  const items = rows.map((row) => ({ id: row.id, words: wordsOf(row.texts) }))
  await storeWords(tx, kind, due, items)
  const present = new Set(items.flatMap((item) => item.words))
  await forgetWords(
    tx,
    before.filter((word) => !present.has(word)),
  )
  return due.length
}

async function takeDue(tx: Tx, kind: ItemKind): Promise<number[]> {
  const { rows } = await sql<{ item_id: number }>`
    delete from search_due where kind = ${kind} and item_id in (
      select item_id from search_due where kind = ${kind} order by item_id limit ${sql.lit(BATCH)}
      for update skip locked
    ) returning item_id`.execute(tx)
  return rows.map((row) => row.item_id)
}

/** Returns the words by which these items were found until now. */
async function readWords(tx: Tx, kind: ItemKind, ids: readonly number[]): Promise<string[]> {
  const { table, id } = WORDS[kind]
  const { rows } = await sql<{ word: string }>`
    select distinct unnest(words) as word from ${sql.table(table)}
    where ${sql.ref(id)} = any(${ids}::bigint[])`.execute(tx)
  return rows.map(({ word }) => word)
}

/** Removes words from the dictionary that no item has any more: they may be personal data of an erased account. */
async function forgetWords(tx: Tx, words: readonly string[]): Promise<void> {
  if (words.length === 0) return
  await sql`
    delete from search_words known where known.word = any(${words}::text[])
      and not exists (select from lesson_words where words @> array[known.word])
      and not exists (select from course_words where words @> array[known.word])`.execute(tx)
}

interface ItemWords {
  readonly id: number
  readonly words: readonly string[]
}

async function storeWords(
  db: DbOrTx,
  kind: ItemKind,
  due: readonly number[],
  items: readonly ItemWords[],
): Promise<void> {
  const { table, id } = WORDS[kind]
  const found = new Set(items.map((item) => item.id))
  const gone = due.filter((each) => !found.has(each))
  if (gone.length > 0)
    await sql`delete from ${sql.table(table)} where ${sql.ref(id)} = any(${gone}::bigint[])`.execute(
      db,
    )
  if (items.length === 0) return
  await sql`
    insert into ${sql.table(table)} (${sql.ref(id)}, words)
    select (given ->> 'id')::bigint, array(select jsonb_array_elements_text(given -> 'words'))
    from jsonb_array_elements(${JSON.stringify(items)}::jsonb) given
    on conflict (${sql.ref(id)}) do update set words = excluded.words`.execute(db)
  // Sorted, so that two transactions never deadlock; known words are skipped.
  const words = [...new Set(items.flatMap((item) => item.words))].toSorted()
  await sql`
    insert into search_words (word)
    select given.word from unnest(${words}::text[]) with ordinality given (word, place)
    where not exists (select from search_words known where known.word = given.word)
    order by given.place on conflict do nothing`.execute(db)
}
