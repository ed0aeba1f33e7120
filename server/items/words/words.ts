import { foldWithPlaces, type Place } from '#contract/fold.ts'

const WORD = /[\p{L}\p{N}]+/gu
/** Characters; longer words are cut, because nobody types more of a word. */
const LONGEST = 40
/** Words of one item; its texts have fewer. */
const MOST = 200

/** A folded word with its position in the text. */
export interface PlacedWord extends Place {
  readonly word: string
}

/** Returns the words of a text in order. */
export function placedWords(text: string): PlacedWord[] {
  // Folds before splitting: a soft hyphen doesn't split a word, and × is folded to a letter.
  const { folded, placeOf } = foldWithPlaces(text)
  return [...folded.matchAll(WORD)].map(({ 0: word, index }) => ({
    word: Array.from(word).slice(0, LONGEST).join(''),
    ...placeOf(index, index + word.length),
  }))
}

/** Returns each word once, sorted. */
export function wordsOf(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => placedWords(text).map(({ word }) => word))
  return [...new Set(words)].toSorted().slice(0, MOST)
}
