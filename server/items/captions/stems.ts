/** The words by which the search finds captions, as SQL. */
import { sql, type RawBuilder } from 'kysely'
import type { Cue } from '#contract/captions.ts'
import { foldText } from '#contract/fold.ts'

const WORD = /[\p{L}\p{N}]+/gu
/** Longer words are cut, as in the search's dictionary. */
const LONGEST = 40
/** Different words of one language; an hour of talking has some 2,000. */
const MOST = 10_000

/** Returns each folded word once. */
export function spokenWords(cues: readonly Cue[]): string[] {
  const words = new Set<string>()
  for (const { text } of cues) {
    for (const [word] of foldText(text).matchAll(WORD))
      words.add(Array.from(word).slice(0, LONGEST).join(''))
    if (words.size >= MOST) break
  }
  return [...words].slice(0, MOST)
}

/** The distinct stems of folded words, without stop words. */
export function stemsOf(words: readonly string[]): RawBuilder<readonly string[]> {
  return sql`array(
    select distinct word_stem(word) from unnest(${words}::text[]) word where not is_stop_word(word)
  )`
}
