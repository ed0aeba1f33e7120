import type { FieldError } from 'react-hook-form'
import { countedLength } from '#contract/measure.ts'
import { readMessage } from '#contract/message.ts'

interface LengthStep {
  readonly words: 'lengthTake' | 'lengthAdd'
  readonly values: { readonly length: number; readonly by: number }
}

/** Returns null for errors that are not about length, or whose limit is not in characters (it counts bytes, say). */
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
