/** Ends drafts on the server. An end that fails is stored under `kb:{person}:ended:{key}`, and is repeated later. */
import { drafts } from '#contract/drafts.ts'
import { api } from '#web/core/api.ts'
import { isRecord } from '#web/core/shape.ts'
import { isWrittenBy, outcomeOf } from '#web/core/storage/draft-outcome.ts'

export interface End {
  readonly base: number
  /** The id of the form that ends its draft. Its saves that are still on their way are ended too. */
  readonly draftId: string
}

const startOf = (person: string) => `kb:${person}:ended:`

/** Stores an end before it is sent, so that it is repeated if it fails. */
export function storeEnd(person: string, key: string, end: End): void {
  try {
    localStorage.setItem(startOf(person) + key, JSON.stringify(end))
  } catch {
    // The storage is full or forbidden, so it can't be repeated.
  }
}

/** Call it before saves, because a draft that was not ended would seem to be a newer one. */
export async function repeatEnds(person: string): Promise<void> {
  for (const [key, end] of readEnds(startOf(person))) await removeEnded(person, key, end)
}

/** Removes a draft, unless it has a version after `base` that another form has saved. Never rejects. */
export async function removeEnded(
  person: string,
  key: string,
  { base, draftId }: End,
): Promise<void> {
  const options = { person, unasked: true, keepalive: true }
  try {
    await api(drafts.remove, { key, base }, options)
  } catch (error) {
    const outcome = outcomeOf(error)
    if (outcome.kind === 'away') return
    const newer = outcome.kind === 'newer' ? outcome.conflict.draft : null
    if (newer !== null && isWrittenBy(newer, draftId)) {
      await removeEnded(person, key, { base: newer.version, draftId })
      return
    }
  }
  try {
    localStorage.removeItem(startOf(person) + key)
  } catch {
    // Nothing was stored if storage is forbidden.
  }
}

function readEnds(start: string): readonly (readonly [key: string, End])[] {
  try {
    return Object.entries(localStorage).flatMap(([name, text]) => {
      if (!name.startsWith(start)) return []
      const end: unknown = JSON.parse(String(text))
      if (!isRecord(end)) return []
      const { base, draftId } = end
      return typeof base === 'number' && typeof draftId === 'string'
        ? [[name.slice(start.length), { base, draftId }] as const]
        : []
    })
  } catch {
    return []
  }
}
