/** Tags: comma-separated, white space removed, empty ones and doubles dropped. */
import { foldTag } from '#contract/fold.ts'
import { lengthOf, normalizeLine } from '#contract/measure.ts'
import { TAG_LENGTH, TAGS } from '#contract/limits.ts'
import { message } from '#contract/message.ts'

/** The list, and the packed message of what is wrong with it, or null. Of tags that are compared as one the first stays. */
export function parseTags(given: string): { list: string[]; problem: string | null } {
  const byFold = new Map<string, string>()
  for (const part of given.split(',')) {
    const tag = normalizeLine(part).replaceAll(/\s+/gu, '')
    const folded = foldTag(tag)
    // One that nobody sees is kept apart, so that it is refused.
    const key = folded === '' ? tag : folded
    if (tag !== '' && !byFold.has(key)) byFold.set(key, tag)
  }
  const list = [...byFold.values()]
  if (list.length < TAGS.min) return { list, problem: 'provideTags' }
  if (list.length > TAGS.max) return { list, problem: message('tooManyTags', { max: TAGS.max }) }
  if (list.some((tag) => lengthOf(tag) > TAG_LENGTH))
    return { list, problem: message('tagTooLong', { max: TAG_LENGTH }) }
  if (list.some((tag) => foldTag(tag) === '')) return { list, problem: 'tagInvisible' }
  // In a path they mean the folder itself and its parent.
  if (list.some((tag) => /^\.{1,2}$/u.test(foldTag(tag)))) return { list, problem: 'tagDots' }
  return { list, problem: null }
}
