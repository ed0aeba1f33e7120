/** Which words of the dictionary are meant by what was typed: the word, those that begin so, and those a typo or two away. */
import { sql, type RawBuilder } from 'kysely'
import { lengthOf } from '#contract/measure.ts'
import { CUSTOM_PLAN, type Db } from '#server/db/connect.ts'
import { isNamed } from '#server/db/folded-search.ts'
import { wordsOf } from '#server/words/words.ts'

/** Words of a query that are looked for; those beyond narrow nothing. */
const MOST_WORDS = 8
const MOST_BEGINNINGS = sql.lit(30)
/** Of the words that share trigrams, so many are compared sign by sign. */
const MOST_COMPARED = sql.lit(60)
const MOST_SIMILAR = 6
/** Shorter words resemble too many others. */
const SHORTEST_TYPO = 4
/** Words from this length on may have two typos. */
const TWO_TYPOS = 7

/** A word of the query, with the words of the dictionary that answer it. */
export interface Meant {
  readonly typed: string
  /** The word itself and those that begin so; always at least the word itself. */
  readonly exact: readonly string[]
  /** Other spellings, the nearest first. */
  readonly similar: readonly string[]
  /** Something answers it as it was typed: the word itself, those that begin so, or a person of that name, or of a name with such a part. */
  readonly isKnown: boolean
  /** An item has, or had, this very word. */
  readonly isWord: boolean
}

/** The words of a query, each once. */
export function queryWords(term: string): string[] {
  return wordsOf([term])
    .toSorted((one, other) => lengthOf(other) - lengthOf(one))
    .slice(0, MOST_WORDS)
}

/** Words that begin as the typed ones. Bounded work however many begin so. */
export async function completeWords(db: Db, words: readonly string[]): Promise<Meant[]> {
  const { rows } = await sql<{ typed: string; found: string[]; isName: boolean }>`${CUSTOM_PLAN}
    select asked.typed, asked."isName", array(
      select known.word from search_words known
      where known.word ~>=~ asked.typed and known.word ~<~ (asked.typed || chr(1114111))
      order by known.word using ~<~ limit ${MOST_BEGINNINGS}
    ) as found
    from (${withNames(words)}) asked`.execute(db)
  return rows.map(({ typed, found, isName }) => ({
    typed,
    exact: [...new Set([typed, ...found])],
    similar: [],
    isKnown: found.length > 0 || isName,
    isWord: found.includes(typed),
  }))
}

/** Adds other spellings of the words that are long enough for a typo: of those that nothing answers, else of those that no item has. */
export async function withSpellings(db: Db, meant: readonly Meant[]): Promise<Meant[]> {
  const words = suspectsOf(meant)
    .map(({ typed }) => typed)
    .filter((word) => lengthOf(word) >= SHORTEST_TYPO)
  if (words.length === 0) return [...meant]
  const { rows } = await sql<{ typed: string; found: string[]; isName: boolean }>`${CUSTOM_PLAN}
    select asked.typed, asked."isName", array(
      select known.word from search_words known
      where known.word % asked.typed
        and char_length(known.word) between char_length(asked.typed) - 2 and char_length(asked.typed) + 2
      order by similarity(known.word, asked.typed) desc, known.word limit ${MOST_COMPARED}
    ) as found
    from (${withNames(words)}) asked`.execute(db)
  const found = new Map(rows.map((row) => [row.typed, row.found]))
  return meant.map((word) => ({
    ...word,
    similar: nearest(word.typed, found.get(word.typed) ?? []).filter(
      (other) => !word.exact.includes(other),
    ),
  }))
}

/** A select of `typed`, one of the words, and `isName`, whether somebody is called so. */
function withNames(words: readonly string[]): RawBuilder<unknown> {
  const each = words.map(
    (word) => sql`
      select ${word}::text as typed, (
        -- planned for all its rows: a guess that many are called so would make it read the table from end to end
        with called as materialized (
          select u.id from users u where ${isNamed('u.name_folded', [word])} and u.erased_at is null
        ) select exists (select from called)
      ) as "isName"`,
  )
  return sql.join(each, sql` union all `)
}

/** A word alone may always be another one; beside others, one that items have was meant as it was typed. */
function suspectsOf(meant: readonly Meant[]): readonly Meant[] {
  if (meant.length === 1) return meant
  const unknown = meant.filter(({ isKnown }) => !isKnown)
  return unknown.length > 0 ? unknown : meant.filter(({ isWord }) => !isWord)
}

function nearest(typed: string, words: readonly string[]): string[] {
  const most = lengthOf(typed) >= TWO_TYPOS ? 2 : 1
  return words
    .map((word) => ({ word, typos: typosBetween(typed, word) }))
    .filter(({ typos }) => typos > 0 && typos <= most)
    .toSorted((one, other) => one.typos - other.typos)
    .slice(0, MOST_SIMILAR)
    .map(({ word }) => word)
}

/** How many signs were left out, added, changed, or swapped with their neighbour. */
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
