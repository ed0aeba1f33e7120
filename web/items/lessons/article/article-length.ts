import { ARTICLE, ARTICLE_LETTERS } from '#contract/limits.ts'
import { countLetters, lengthOf, visibleLengthOf } from '#contract/measure.ts'
import { message } from '#contract/message.ts'

const BLOCK = /<\/?(?:h[1-6]|p|blockquote|ul|ol|li|pre|br)(?:\s[^>]*)?>/g
const ENTITY = /&(?:amp|lt|gt|quot);/g

/**
 * Returns the length of the article's plain text in code points, counted as on the server: white space collapses,
 * and blocks are separated.
 */
export function articleLength(html: string): number {
  return lengthOf(articleText(html))
}

/**
 * Returns an error message (see contract/message.ts), or null when the text is valid. The server also checks for
 * look-alike characters.
 */
export function articleProblem(html: string): string | null {
  const text = articleText(html)
  const length = lengthOf(text)
  const badLength = message('articleValMs', { ...ARTICLE })
  if (length < ARTICLE.min || length > ARTICLE.max) return badLength
  if (countLetters(text) < ARTICLE_LETTERS)
    return message('articleLettersMs', { min: ARTICLE_LETTERS })
  return visibleLengthOf(text) < ARTICLE.min ? badLength : null
}

function articleText(html: string): string {
  const text = html
    .replaceAll(BLOCK, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll(ENTITY, '&')
    .replaceAll(/\s+/g, ' ')
  return text.trim().normalize('NFC')
}
