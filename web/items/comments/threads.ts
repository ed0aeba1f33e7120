import type { Comment } from '#contract/comments.ts'

export interface Thread {
  readonly id: number
  /** Null when deleted; undefined when it is older than the list and not fetched yet. */
  readonly root: Comment | null | undefined
  readonly answers: readonly Comment[]
}

/** Answered comments that are missing from the list, by id; null when deleted. */
export type Roots = ReadonlyMap<number, Comment | null>

interface Known {
  readonly list: readonly Comment[]
  readonly more: boolean
  readonly roots: Roots
}

/** Groups the flat list into threads, newest first. */
export function threadsOf({ list, more, roots }: Known): Thread[] {
  const begun = new Map<number, Comment>()
  const answers = new Map<number, Comment[]>()
  for (const comment of list) {
    if (comment.replyTo === null) begun.set(comment.id, comment)
    else answers.set(comment.replyTo, [comment, ...(answers.get(comment.replyTo) ?? [])])
  }
  const oldest = list.at(-1)?.id ?? 0
  const rootOf = (id: number) => {
    const found = begun.get(id) ?? roots.get(id)
    // The list holds everything newer than its oldest comment, so a missing comment was deleted.
    return found === undefined && (!more || id >= oldest) ? null : found
  }
  return [...new Set([...begun.keys(), ...answers.keys()])]
    .toSorted((one, other) => other - one)
    .map((id) => ({ id, root: rootOf(id), answers: answers.get(id) ?? [] }))
}
