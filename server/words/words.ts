/** Words as they are searched: folded, without the signs between them. */
import { foldText } from '#server/kernel/text/fold.ts'

const WORD = /[\p{L}\p{N}\p{M}]+/gu
/** Longer ones are cut: nobody types more of a word. */
const LONGEST = 40
/** Of one item; its texts have fewer. */
const MOST = 200

/** A word of a text, folded, with its place in it as UTF-16 units: from, and up to but without. */
export interface PlacedWord {
  readonly word: string
  readonly from: number
  readonly to: number
}

/** The words of a text in their order. */
export function placedWords(text: string): PlacedWord[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: written, index }) => {
    const word = Array.from(foldText(written).replaceAll(/[^\p{L}\p{N}]/gu, ''))
      .slice(0, LONGEST)
      .join('')
    return word === '' ? [] : [{ word, from: index, to: index + written.length }]
  })
}

/** Each word of some texts once, in the order of the alphabet. */
export function wordsOf(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => placedWords(text).map(({ word }) => word))
  return [...new Set(words)].toSorted().slice(0, MOST)
}
