/** Parses comma-separated tags: removes white space, empty tags and duplicates. */
import { foldTag } from '#contract/fold.ts'
import { lengthOf, normalizeLine } from '#contract/measure.ts'
import { TAG_LENGTH, TAGS } from '#contract/limits.ts'
import { message } from '#contract/message.ts'

/** Returns the tags, and a packed error message or null. Of tags that fold to the same text, the first stays. */
export function parseTags(given: string): { list: string[]; problem: string | null } {
  const byFold = new Map<string, string>()
  for (const part of given.split(',')) {
    const tag = normalizeLine(part).replaceAll(/\s+/gu, '')
    const folded = foldTag(tag)
    // An invisible tag keeps its own key, so that it is refused.
    const key = folded === '' ? tag : folded
    if (tag !== '' && !byFold.has(key)) byFold.set(key, tag)
  }
  const list = [...byFold.values()]
  if (list.length < TAGS.min) return { list, problem: 'provideTags' }
  if (list.length > TAGS.max) return { list, problem: message('tooManyTags', { max: TAGS.max }) }
  if (list.some((tag) => lengthOf(tag) > TAG_LENGTH))
    return { list, problem: message('tagTooLong', { max: TAG_LENGTH }) }
  if (list.some((tag) => foldTag(tag) === '')) return { list, problem: 'tagInvisible' }
  // In a URL path they mean the current and the parent folder.
  if (list.some((tag) => /^\.{1,2}$/u.test(foldTag(tag)))) return { list, problem: 'tagDots' }
  return { list, problem: null }
}
