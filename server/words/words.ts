/** Words as they are searched: folded, without the signs between them. */
import { foldWithPlaces, type Place } from '#contract/fold.ts'

const WORD = /[\p{L}\p{N}]+/gu
/** Longer ones are cut: nobody types more of a word. */
const LONGEST = 40
/** Of one item; its texts have fewer. */
const MOST = 200

/** A word of a text, folded, with its place in the text. */
export interface PlacedWord extends Place {
  readonly word: string
}

/** The words of a text in their order. */
export function placedWords(text: string): PlacedWord[] {
  // Folded before it is split: a soft hyphen splits no word, and × is a letter of one.
  const { folded, placeOf } = foldWithPlaces(text)
  return [...folded.matchAll(WORD)].map(({ 0: word, index }) => ({
    word: Array.from(word).slice(0, LONGEST).join(''),
    ...placeOf(index, index + word.length),
  }))
}

/** Each word of some texts once, in the order of the alphabet. */
export function wordsOf(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => placedWords(text).map(({ word }) => word))
  return [...new Set(words)].toSorted().slice(0, MOST)
}
