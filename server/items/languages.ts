/** The languages of items that were written before anybody listened: a job hears them, a few at a time. */
import { sql, type RawBuilder } from 'kysely'
import type { Tongue } from '#contract/items.ts'
import type { ItemKind } from '#contract/points.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { TABLES } from '#server/items/tables.ts'
import { jobKind, NoPayload } from '#server/jobs/job.ts'
import { detectLanguage } from '#opinion'

/** Runs every minute; once all are heard it finds nothing in an empty index. */
export const HEAR_LANGUAGES = jobKind('hearLanguages', NoPayload)

/** So few at a time that requests hardly wait for it: each takes some tenths of a millisecond. */
const BATCH = 50
/** What one run does at most of each kind; the others have their turn in the next. */
const BATCHES = 400

/** Hears items of both kinds that have no language yet. Safe on several processes at once. */
export async function hearLanguages(db: Db): Promise<void> {
  for (const kind of ['lesson', 'course'] as const) {
    for (let done = 0; done < BATCHES; done += 1)
      if ((await db.transaction().execute((tx) => hearBatch(tx, kind))) < BATCH) break
  }
}

interface Texts {
  readonly id: number
  readonly texts: (string | null)[]
}

/** Answers how many there were. Who edits one meanwhile is not waited for: what they write is heard with it. */
async function hearBatch(tx: Tx, kind: ItemKind): Promise<number> {
  const contents = sql.table(TABLES[kind].contents)
  const id = sql.ref(TABLES[kind].id)
  const opening = kind === 'lesson' ? sql`opening` : sql`null`
  const { rows } = await sql<Texts>`
    select ${id} as id, array[title, description, ${opening}] as texts from ${contents}
    where language is null order by ${id} limit ${sql.lit(BATCH)} for no key update skip locked`.execute(
    tx,
  )
  if (rows.length === 0) return 0
  const heard = rows.map((row) => ({ id: row.id, language: detectLanguage(row.texts) }))
  await sql`
    update ${contents} set language = given ->> 'language'
    from jsonb_array_elements(${JSON.stringify(heard)}::jsonb) given
    where ${id} = (given ->> 'id')::bigint`.execute(tx)
  return rows.length
}

/** On `i`, the items of a kind: their words are in this language. `lesson_contents_language_of` and its like answer it. */
export function isInLanguage(kind: ItemKind, language: Tongue): RawBuilder<boolean> {
  const { contents, id } = TABLES[kind]
  return sql<boolean>`exists (
    select from ${sql.table(contents)} heard where heard.${sql.ref(id)} = i.id and heard.language = ${language}
  )`
}

/**
 * Whether an item's words are in another language than the reader's: a condition on `c`, its contents. What is in none,
 * or not heard yet, is nobody's other language.
 *
 * @param reader `en` or `bg`
 */
export const isForeign = (reader: string): RawBuilder<boolean> =>
  sql<boolean>`coalesce(c.language not in ('none', ${reader}::text), false)`
