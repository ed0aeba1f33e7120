/**
 * Searches a column of folded text (titles, names, comments) for a folded term. The column has a trigram index and
 * an index of its grams of one and two characters (function `short_grams`), because trigrams can't find a term
 * without three letters or digits in a row, such as `c++`.
 */
import { sql, type RawBuilder } from 'kysely'
import { lengthOf } from '#contract/measure.ts'

/** `looked up` uses an index of the texts; `walked` checks rows found by another index. */
export type Way = 'looked up' | 'walked'

/** Returns true for a folded term that no trigram finds, because it lacks three letters or digits in a row. */
export function isShort(term: string): boolean {
  return term !== '' && !/[\p{L}\p{N}]{3}/u.test(term)
}

/** Matches when `column`, such as `i.title_folded`, contains the folded term. */
export function contains(column: string, term: string, way: Way): RawBuilder<boolean> {
  const text = sql.raw(column)
  const like = sql<boolean>`${text} like ${`%${toPattern(term)}%`}`
  // Computing the grams of a row costs more than comparing its text.
  if (way === 'walked' || !isShort(term)) return like
  // Up to two characters are one gram, which suffices alone. With an additional LIKE the planner might read the
  // whole trigram index, which doesn't help with short terms.
  if (lengthOf(term) <= 2) return sql<boolean>`short_grams(${text}) @> array[${term}::text]`
  return sql<boolean>`short_grams(${text}) @> short_grams(${term}::text) and strpos(${text}, ${term}) > 0`
}

/** Matches when a column of unfolded text contains these words in any case. No index serves it, so it reads every row. */
export function mentions(column: string, words: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.raw(column)} ilike ${`%${toPattern(words.trim())}%`}`
}

/** Matches when `column` begins with the folded term. */
export function beginsWith(column: string, term: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.raw(column)} like ${`${toPattern(term)}%`}`
}

const SEPARATORS = ['.', '-', '_', ' ']
/** Shorter terms begin a part of too many names. */
const SHORTEST_PART = 3

/**
 * Matches when `column`, a person's `name_folded`, equals one of the folded terms, or a part of the name begins
 * with one of at least three characters. The trigram index of the column serves it.
 */
export function isNamed(column: string, terms: readonly string[]): RawBuilder<boolean> {
  const patterns = terms.flatMap((term) => {
    const whole = toPattern(term)
    if (lengthOf(term) < SHORTEST_PART) return [whole]
    return [`${whole}%`, ...SEPARATORS.map((sign) => `%${toPattern(sign)}${whole}%`)]
  })
  return sql<boolean>`${sql.raw(column)} like any(${patterns}::text[])`
}

/** Escapes the wildcards of LIKE. */
function toPattern(term: string): string {
  return term.replaceAll(/[\\%_]/g, String.raw`\$&`)
}
