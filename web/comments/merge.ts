import type { Comment } from '#contract/comments.ts'

/** Two stretches of a lesson's comments as one: newest first, each once, the second stretch's word before the first's. */
export function mergeComments(
  known: readonly Comment[],
  more: readonly Comment[],
): readonly Comment[] {
  if (more.length === 0) return known
  const byId = new Map(known.map((comment) => [comment.id, comment]))
  for (const comment of more) byId.set(comment.id, comment)
  return [...byId.values()].toSorted((a, b) => b.id - a.id)
}

export interface Stretch<Row> {
  /** The newest id that belongs to it; infinite for what came after the page was opened. */
  readonly start: number
  readonly rows: readonly Row[]
}

/**
 * Cuts a list where its pages began, `starts` newest first. A browser then looks after a hundred stretches instead of
 * thousands of rows, and none of them moves when others come or go.
 */
export function stretchesOf<Row extends { readonly id: number }>(
  list: readonly Row[],
  starts: readonly number[],
): Stretch<Row>[] {
  const stretches: { start: number; rows: Row[] }[] = []
  let next = 0
  let start = Infinity
  for (const row of list) {
    let bound = starts[next]
    while (bound !== undefined && row.id <= bound) {
      start = bound
      next += 1
      bound = starts[next]
    }
    const last = stretches.at(-1)
    if (last?.start === start) last.rows.push(row)
    else stretches.push({ start, rows: [row] })
  }
  return stretches
}

/** The newest id of a stretch, or the other when it is empty or older. */
export const newestId = (comments: readonly Comment[], other: number): number =>
  comments.reduce((newest, { id }) => Math.max(newest, id), other)
