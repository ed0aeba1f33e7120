import type { Comment } from '#contract/comments.ts'

/** Merges two lists, newest first and without duplicates. A comment of the second replaces its older version. */
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
  /** The newest id that belongs to the stretch; Infinity for comments that arrived after the page was opened. */
  readonly start: number
  readonly rows: readonly Row[]
}

/**
 * Splits a list at the borders of its pages, whose newest ids are `starts`, newest first. The browser then checks
 * a hundred stretches for visibility instead of thousands of rows, and no row changes its stretch later.
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

export const newestId = (comments: readonly Comment[], other: number): number =>
  comments.reduce((newest, { id }) => Math.max(newest, id), other)
