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

/** The newest id of a stretch, or the other when it is empty or older. */
export const newestId = (comments: readonly Comment[], other: number): number =>
  comments.reduce((newest, { id }) => Math.max(newest, id), other)
