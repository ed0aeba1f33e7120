/** A job detects the languages of items that were written before languages were stored, in small batches. */
import { sql, type RawBuilder } from 'kysely'
import type { Tongue } from '#contract/items.ts'
import type { ItemKind } from '#contract/points.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { TABLES } from '#server/items/shared/tables.ts'
import { jobKind, NoPayload } from '#server/platform/jobs/job.ts'
import { detectLanguage } from '#opinion'

/** Runs every minute. Once all languages are detected it reads an empty partial index. */
export const HEAR_LANGUAGES = jobKind('hearLanguages', NoPayload)

/** Small, so that requests hardly wait for it; an item takes some tenths of a millisecond. */
const BATCH = 50
/** Maximum number of batches per kind and run; the next run does more. */
const BATCHES = 400

/** Detects the language of items of both kinds that have none. Safe on several processes at once. */
export async function hearLanguages(db: Db): Promise<void> {
  for (const kind of ['lesson', 'course'] as const) {
    for (let done = 0; done < BATCHES; done += 1)
      if ((await db.transaction().execute((tx) => detectBatch(tx, kind))) < BATCH) break
  }
}

interface Texts {
  readonly id: number
  readonly texts: (string | null)[]
}

/** Returns the number of items. Skips items that are being edited, because saving detects their language. */
async function detectBatch(tx: Tx, kind: ItemKind): Promise<number> {
  const contents = sql.table(TABLES[kind].contents)
  const id = sql.ref(TABLES[kind].id)
  const opening = kind === 'lesson' ? sql`opening` : sql`null`
  const { rows } = await sql<Texts>`
    select ${id} as id, array[title, description, ${opening}] as texts from ${contents}
    where language is null order by ${id} limit ${sql.lit(BATCH)} for no key update skip locked`.execute(
    tx,
  )
  if (rows.length === 0) return 0
  const detected = rows.map((row) => ({ id: row.id, language: detectLanguage(row.texts) }))
  await sql`
    update ${contents} set language = given ->> 'language'
    from jsonb_array_elements(${JSON.stringify(detected)}::jsonb) given
    where ${id} = (given ->> 'id')::bigint`.execute(tx)
  return rows.length
}

/** A condition on `i`. The indexes `lesson_contents_language_of` and `course_contents_language_of` support it. */
export function isInLanguage(kind: ItemKind, language: Tongue): RawBuilder<boolean> {
  const { contents, id } = TABLES[kind]
  return sql<boolean>`exists (
    select from ${sql.table(contents)} heard where heard.${sql.ref(id)} = i.id and heard.language = ${language}
  )`
}

/**
 * A condition on `c`, an item's contents: its language differs from the reader's. False for items without a
 * language and for items whose language is not detected yet.
 * @param reader `en` or `bg`
 */
export const isForeign = (reader: string): RawBuilder<boolean> =>
  sql<boolean>`coalesce(c.language not in ('none', ${reader}::text), false)`
