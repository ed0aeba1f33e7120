/**
 * Searching a column of folded text (titles, names, comments) for a folded term. The column has an index of its
 * trigrams, and one of its short grams (one and two characters, by the function `short_grams`): a trigram index knows
 * nothing of a term without three letters or digits in a row, such as `c++`.
 */
import { sql, type RawBuilder } from 'kysely'
import { lengthOf } from '#contract/measure.ts'

/** How a condition is meant to be met: through an index of the texts, or row by row along another index. */
export type Way = 'looked up' | 'walked'

/** True for a folded term that no trigram answers: it lacks three letters or digits in a row. */
export function isShort(term: string): boolean {
  return term !== '' && !/[\p{L}\p{N}]{3}/u.test(term)
}

/** `column`, such as `i.title_folded`, contains the folded term. */
export function contains(column: string, term: string, way: Way): RawBuilder<boolean> {
  const text = sql.raw(column)
  const like = sql<boolean>`${text} like ${`%${toPattern(term)}%`}`
  // Making the grams of a row costs more than comparing its text.
  if (way === 'walked' || !isShort(term)) return like
  // Up to two characters are one gram, and the gram says it all. A LIKE beside it would tempt the planner into
  // reading the whole trigram index, which knows nothing of short terms.
  if (lengthOf(term) <= 2) return sql<boolean>`short_grams(${text}) @> array[${term}::text]`
  return sql<boolean>`short_grams(${text}) @> short_grams(${term}::text) and strpos(${text}, ${term}) > 0`
}

/** `column` begins with the folded term. */
export function beginsWith(column: string, term: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.raw(column)} like ${`${toPattern(term)}%`}`
}

/** What separates the parts of a name. */
const SEPARATORS = ['.', '-', '_', ' ']
/** Shorter ones begin a part of too many names. */
const SHORTEST_PART = 3

/**
 * `column`, a person's `name_folded`, is one of the folded terms, or a part of the name begins with one of at least
 * three characters. The trigrams of the column answer it.
 */
export function isNamed(column: string, terms: readonly string[]): RawBuilder<boolean> {
  const patterns = terms.flatMap((term) => {
    const whole = toPattern(term)
    if (lengthOf(term) < SHORTEST_PART) return [whole]
    return [`${whole}%`, ...SEPARATORS.map((sign) => `%${toPattern(sign)}${whole}%`)]
  })
  return sql<boolean>`${sql.raw(column)} like any(${patterns}::text[])`
}

/** For LIKE: the wildcards of a term are letters like others. */
function toPattern(term: string): string {
  return term.replaceAll(/[\\%_]/g, String.raw`\$&`)
}
