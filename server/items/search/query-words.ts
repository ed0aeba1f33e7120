/** Finds the dictionary words that match a query's words: themselves, other forms, longer words, and spellings. */
import { sql, type RawBuilder } from 'kysely'
import { lengthOf } from '#contract/measure.ts'
import { CUSTOM_PLAN, type Db } from '#server/platform/db/connect.ts'
import { isNamed } from '#server/platform/db/folded-search.ts'
import { wordsOf } from '#server/items/words/words.ts'

/** Further words of a query are ignored. */
const MOST_WORDS = 8
const MOST_FORMS = sql.lit(30)
/** Maximum number of words with common trigrams that are compared character by character. */
const MOST_COMPARED = sql.lit(60)
const MOST_SPELLINGS = 6
/** Shorter words resemble too many others. */
const SHORTEST_TYPO = 4
/** Words of at least this length may have two typos. */
const TWO_TYPOS = 7

/** A word of the query with the dictionary words that match it. */
export interface QueryWord {
  readonly typed: string
  /** Words with the same stem. */
  readonly forms: readonly string[]
  /** True if longer words and names that begin with it match too. */
  readonly isPrefix: boolean
  /** Longer words that begin with it. */
  readonly beginnings: readonly string[]
  /** Words with one or two typos, the nearest first. */
  readonly spellings: readonly string[]
  /** True if any item has the word, a form of it or a longer word, or if a person's name contains it. */
  readonly isKnown: boolean
}

export function queryWords(term: string): string[] {
  return wordsOf([term])
    .toSorted((one, other) => lengthOf(other) - lengthOf(one))
    .slice(0, MOST_WORDS)
}

/** Leaves out stop words, unless there are no others. The work is bounded for any word. */
export async function lookUpWords(db: Db, words: readonly string[]): Promise<QueryWord[]> {
  const { rows } = await sql<{
    typed: string
    isName: boolean
    isStopWord: boolean
    forms: string[]
    beginnings: string[]
  }>`${CUSTOM_PLAN}
    select asked.typed, asked."isName", is_stop_word(asked.typed) as "isStopWord", array(
      select known.word from search_words known
      where word_stem(known.word) = word_stem(asked.typed) limit ${MOST_FORMS}
    ) as forms, array(
      select known.word from search_words known
      where known.word ~>=~ asked.typed and known.word ~<~ (asked.typed || chr(1114111))
      order by known.word using ~<~ limit ${MOST_FORMS}
    ) as beginnings
    from (${withNames(words)}) asked`.execute(db)
  const telling = rows.filter(({ isStopWord }) => !isStopWord)
  return (telling.length > 0 ? telling : rows).map(({ typed, isName, forms, beginnings }) => ({
    typed,
    forms,
    isPrefix: true,
    beginnings,
    spellings: [],
    isKnown: forms.length + beginnings.length > 0 || isName,
  }))
}

/** Adds spellings to the unknown words that are long enough for a typo. */
export async function withSpellings(db: Db, words: readonly QueryWord[]): Promise<QueryWord[]> {
  const unknown = words
    .filter(({ typed, isKnown }) => !isKnown && lengthOf(typed) >= SHORTEST_TYPO)
    .map(({ typed }) => typed)
  if (unknown.length === 0) return [...words]
  const { rows } = await sql<{ typed: string; found: string[] }>`${CUSTOM_PLAN}
    select typed, array(
      select known.word from search_words known
      where known.word % typed
        and char_length(known.word) between char_length(typed) - 2 and char_length(typed) + 2
      order by similarity(known.word, typed) desc, known.word limit ${MOST_COMPARED}
    ) as found
    from unnest(${unknown}::text[]) typed`.execute(db)
  const found = new Map(rows.map((row) => [row.typed, row.found]))
  return words.map((word) => ({
    ...word,
    spellings: nearest(word.typed, found.get(word.typed) ?? []),
  }))
}

/** Selects each word as `typed`, with `isName` if somebody has that name. */
function withNames(words: readonly string[]): RawBuilder<unknown> {
  const each = words.map(
    (word) => sql`
      select ${word}::text as typed, (
        -- planned for all its rows: a high estimate would make PostgreSQL scan the whole table
        with called as materialized (
          select u.id from users u where ${isNamed('u.name_folded', [word])} and u.erased_at is null
        ) select exists (select from called)
      ) as "isName"`,
  )
  return sql.join(each, sql` union all `)
}

function nearest(typed: string, words: readonly string[]): string[] {
  const most = lengthOf(typed) >= TWO_TYPOS ? 2 : 1
  return words
    .map((word) => ({ word, typos: typosBetween(typed, word) }))
    .filter(({ typos }) => typos > 0 && typos <= most)
    .toSorted((one, other) => one.typos - other.typos)
    .slice(0, MOST_SPELLINGS)
    .map(({ word }) => word)
}

/** Counts missing, additional, changed and swapped characters (Damerau-Levenshtein distance). */
function typosBetween(one: string, other: string): number {
  const from = Array.from(one)
  const into = Array.from(other)
  let before: number[] = []
  let row = into.map((_, place) => place + 1)
  row.unshift(0)
  for (const [line, sign] of from.entries()) {
    const next = [line + 1]
    for (const [place, wanted] of into.entries()) {
      const same = sign === wanted ? 0 : 1
      let least = Math.min(
        (next[place] ?? 0) + 1,
        (row[place + 1] ?? 0) + 1,
        (row[place] ?? 0) + same,
      )
      if (line > 0 && place > 0 && sign === into[place - 1] && from[line - 1] === wanted)
        least = Math.min(least, (before[place - 1] ?? 0) + 1)
      next.push(least)
    }
    before = row
    row = next
  }
  return row.at(-1) ?? 0
}
