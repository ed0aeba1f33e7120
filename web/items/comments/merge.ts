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

export interface Chunk<Row> {
  /** The newest id that belongs to the chunk; Infinity for comments that arrived after the page was opened. */
  readonly start: number
  readonly rows: readonly Row[]
}

/**
 * Splits a list at the borders of its pages, whose newest ids are `starts`, newest first. The browser then checks
 * a hundred chunks for visibility instead of thousands of rows, and no row moves to another chunk later.
 */
export function splitAtPages<Row extends { readonly id: number }>(
  list: readonly Row[],
  starts: readonly number[],
): Chunk<Row>[] {
  const chunks: { start: number; rows: Row[] }[] = []
  let next = 0
  let start = Infinity
  for (const row of list) {
    let bound = starts[next]
    while (bound !== undefined && row.id <= bound) {
      start = bound
      next += 1
      bound = starts[next]
    }
    const last = chunks.at(-1)
    if (last?.start === start) last.rows.push(row)
    else chunks.push({ start, rows: [row] })
  }
  return chunks
}

export const newestId = (comments: readonly Comment[], other: number): number =>
  comments.reduce((newest, { id }) => Math.max(newest, id), other)
