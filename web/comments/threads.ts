import type { Comment } from '#contract/comments.ts'

/** A comment and what answers it. */
export interface Thread {
  /** Of the comment that began it. */
  readonly id: number
  /** Null: it was deleted. Undefined: it is older than what is shown, and not fetched yet. */
  readonly root: Comment | null | undefined
  /** Oldest first. */
  readonly answers: readonly Comment[]
}

/** What is known of comments that are answered in the list and do not stand in it; null: deleted. */
export type Roots = ReadonlyMap<number, Comment | null>

interface Known {
  /** Newest first, without gaps. */
  readonly list: readonly Comment[]
  /** Older ones may exist. */
  readonly more: boolean
  readonly roots: Roots
}

/** The flat list as threads, the newest thread first. */
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
    // Everything newer than the oldest is in the list: what is not, is no more.
    return found === undefined && (!more || id >= oldest) ? null : found
  }
  return [...new Set([...begun.keys(), ...answers.keys()])]
    .toSorted((one, other) => other - one)
    .map((id) => ({ id, root: rootOf(id), answers: answers.get(id) ?? [] }))
}
