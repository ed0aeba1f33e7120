import type { CommentCounts } from '#contract/comments.ts'
import { EXACT_TOTAL } from '#contract/limits.ts'

/** Returns the numbers on the opinion chips: `count` of each, or null if it was not counted or is too large. */
export function labelCounts(count: (label: keyof CommentCounts) => number | null): CommentCounts {
  const capped = (label: keyof CommentCounts) => {
    const counted = count(label)
    return counted === null || counted > EXACT_TOTAL ? null : counted
  }
  return {
    ALL: capped('ALL'),
    POSITIVE: capped('POSITIVE'),
    NEUTRAL: capped('NEUTRAL'),
    NEGATIVE: capped('NEGATIVE'),
    TOXIC: capped('TOXIC'),
    UNKNOWN: capped('UNKNOWN'),
    NONE: capped('NONE'),
  }
}
