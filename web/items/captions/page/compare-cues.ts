import type { Cue } from '#contract/captions.ts'

/** One line of two captions at the same time. Null where one has no such line. */
export interface ComparedLine {
  readonly from: number
  readonly before: string | null
  readonly after: string | null
  readonly isChanged: boolean
}

/** Lays two captions side by side by the times of their lines, both of which are in order. */
export function compareCues(before: readonly Cue[], after: readonly Cue[]): ComparedLine[] {
  const lines: ComparedLine[] = []
  let left = 0
  let right = 0
  while (left < before.length || right < after.length) {
    const old = before[left]
    const next = after[right]
    const from = Math.min(old?.from ?? Infinity, next?.from ?? Infinity)
    const isOld = old?.from === from
    const isNext = next?.from === from
    if (isOld) left += 1
    if (isNext) right += 1
    lines.push({
      from,
      before: isOld ? old.text : null,
      after: isNext ? next.text : null,
      isChanged: !isOld || !isNext || old.text !== next.text || old.to !== next.to,
    })
  }
  return lines
}
