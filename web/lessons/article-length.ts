import { lengthOf } from '#contract/measure.ts'

const BLOCK = /<\/?(?:h[1-6]|p|blockquote|ul|ol|li|pre|br)(?:\s[^>]*)?>/g
const ENTITY = /&(?:amp|lt|gt|quot);/g

/** Code points of an article's plain text as the server counts them: white space collapsed, blocks apart. */
export function articleLength(html: string): number {
  const text = html
    .replaceAll(BLOCK, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll(ENTITY, '&')
    .replaceAll(/\s+/g, ' ')
  return lengthOf(text.trim().normalize('NFC'))
}
