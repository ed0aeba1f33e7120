import { invalidField } from '#server/kernel/errors.ts'
import type { Current } from '#server/kernel/settings/site-settings.ts'
import { foldCase } from '#server/kernel/text/fold.ts'

const WORD = /[\p{L}\p{M}\p{N}]+/gu

/** The words, each between two spaces, so that a phrase is found only as whole words. */
const wordsOf = (text: string) => ` ${foldCase(text).match(WORD)?.join(' ') ?? ''} `

/** @throws Refusal 400 at `title` if it contains a word that titles may not contain */
export function refuseTitleWords(settings: Current<'TITLE_WORDS'>, title: string): void {
  const words = wordsOf(title)
  const found = settings.current.TITLE_WORDS.find((word) => {
    const phrase = wordsOf(word)
    return phrase.trim() !== '' && words.includes(phrase)
  })
  if (found !== undefined) throw invalidField('title', 'titleHasWord', { word: found })
}
