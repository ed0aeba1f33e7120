/** Conditions on the languages of items, which are detected when an item is written. */
import { sql, type RawBuilder } from 'kysely'
import type { ItemLanguage } from '#contract/items.ts'
import type { ItemKind } from '#contract/points.ts'
import { TABLES } from '#server/items/shared/tables.ts'

/** A condition on `i`. The indexes `lesson_contents_language_of` and `course_contents_language_of` support it. */
export function isInLanguage(kind: ItemKind, language: ItemLanguage): RawBuilder<boolean> {
  const { contents, id } = TABLES[kind]
  return sql<boolean>`exists (
    select from ${sql.table(contents)} c where c.${sql.ref(id)} = i.id and c.language = ${language}
  )`
}

/**
 * A condition on `c`, an item's contents: its language differs from the reader's. False for items without a
 * language.
 * @param reader the locale of the reader
 */
export const isForeign = (reader: string): RawBuilder<boolean> =>
  sql<boolean>`c.language not in ('none', ${reader}::text)`
