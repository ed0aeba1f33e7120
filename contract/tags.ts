/** Tags: comma-separated, white space removed, empty ones and doubles dropped. */
import { lengthOf } from '#contract/measure.ts'
import { TAG_LENGTH, TAGS } from '#contract/limits.ts'
import { message } from '#contract/message.ts'

/** The list, and the packed message of what is wrong with it, or null. */
export function parseTags(given: string): { list: string[]; problem: string | null } {
  const list = [
    ...new Set(
      given
        .normalize('NFC')
        .replaceAll(/\s+/gu, '')
        .split(',')
        .filter((tag) => tag !== ''),
    ),
  ]
  if (list.length < TAGS.min) return { list, problem: 'provideTags' }
  if (list.length > TAGS.max) return { list, problem: message('tooManyTags', { max: TAGS.max }) }
  if (list.some((tag) => lengthOf(tag) > TAG_LENGTH))
    return { list, problem: message('tagTooLong', { max: TAG_LENGTH }) }
  return { list, problem: null }
}
