import type { Prediction } from '#contract/comments.ts'
import type { MessageKey } from '#contract/messages/messages.ts'

/** `NONE`: not judged yet. */
export type Opinion = Prediction | 'NONE'

interface OpinionLook {
  readonly name: MessageKey
  /** Says it to those who see no colours. */
  readonly sign: string
  /** Of moderation.css. */
  readonly tone: string
}

export const OPINIONS: Readonly<Record<Opinion, OpinionLook>> = {
  POSITIVE: { name: 'opinionPositive', sign: '+', tone: 'pos' },
  NEUTRAL: { name: 'opinionNeutral', sign: '=', tone: 'neu' },
  NEGATIVE: { name: 'opinionNegative', sign: '−', tone: 'neg' },
  TOXIC: { name: 'opinionToxic', sign: '!', tone: 'toxic' },
  UNKNOWN: { name: 'opinionUnknown', sign: '?', tone: 'none' },
  NONE: { name: 'opinionNone', sign: '…', tone: 'none' },
}

/** In the order of the chips. */
export const OPINION_ORDER: readonly Opinion[] = [
  'POSITIVE',
  'NEUTRAL',
  'NEGATIVE',
  'TOXIC',
  'UNKNOWN',
  'NONE',
]
