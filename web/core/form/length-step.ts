import type { FieldError } from 'react-hook-form'
import { countedLength } from '#contract/measure.ts'
import { readMessage } from '#contract/message.ts'

interface LengthStep {
  readonly words: 'lengthTake' | 'lengthAdd'
  readonly values: { readonly length: number; readonly by: number }
}

/**
 * How many characters to add or take. Null for errors that are not about a length, and where the message names no limit,
 * because it counts something else: bytes, or a text without its marks.
 */
export function lengthStep({ type, message = '' }: FieldError, value: unknown): LengthStep | null {
  const { min = 0, max } = readMessage(message).values
  if (typeof value !== 'string' || typeof min !== 'number' || typeof max !== 'number') return null
  const length = countedLength(value, { min })
  if (type === 'too_big' && length > max)
    return { words: 'lengthTake', values: { length, by: length - max } }
  if (type === 'too_small' && length > 0 && length < min)
    return { words: 'lengthAdd', values: { length, by: min - length } }
  return null
}
