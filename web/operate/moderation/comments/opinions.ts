import type { Prediction } from '#contract/comments.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import styles from '#web/operate/desk/Desk.module.css'

/** `NONE` means not judged yet. */
export type Opinion = Prediction | 'NONE'

interface OpinionLook {
  readonly name: MessageKey
  /** Conveys the opinion without colour. */
  readonly sign: string
  readonly tone: string | undefined
}

export const OPINIONS: Readonly<Record<Opinion, OpinionLook>> = {
  POSITIVE: { name: 'opinionPositive', sign: '+', tone: styles.pos },
  NEUTRAL: { name: 'opinionNeutral', sign: '=', tone: styles.neu },
  NEGATIVE: { name: 'opinionNegative', sign: '−', tone: undefined },
  TOXIC: { name: 'opinionToxic', sign: '!', tone: styles.toxic },
  UNKNOWN: { name: 'opinionUnknown', sign: '?', tone: styles.none },
  NONE: { name: 'opinionNone', sign: '…', tone: styles.none },
}

export const OPINION_ORDER: readonly Opinion[] = [
  'POSITIVE',
  'NEUTRAL',
  'NEGATIVE',
  'TOXIC',
  'UNKNOWN',
  'NONE',
]
