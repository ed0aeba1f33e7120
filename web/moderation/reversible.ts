import type { LogEntry } from '#contract/moderation.ts'

const RESTORABLE_MS = 30 * 24 * 60 * 60 * 1000

/**
 * The ids of the entries of a page of the log, newest first, that can be taken back: deleted comments and ratings for 30 days and
 * suspensions, each only where nothing of the same thing stands above it.
 */
export function findReversible(entries: readonly LogEntry[], now: number): ReadonlySet<number> {
  const found = new Set<number>()
  const settled = new Set<string>()
  for (const entry of entries) {
    const thing = thingOf(entry)
    if (thing === null || settled.has(thing)) continue
    settled.add(thing)
    const isYoung = now - Date.parse(entry.date) < RESTORABLE_MS
    if (entry.action === 'suspended' || (isDeletion(entry) && isYoung)) found.add(entry.id)
  }
  return found
}

const isDeletion = ({ action }: LogEntry) =>
  action === 'commentDeleted' || action === 'ratingDeleted'

function thingOf({ action, subjectId, person }: LogEntry): string | null {
  switch (action) {
    case 'commentDeleted':
    case 'commentRestored':
      return subjectId === null ? null : `comment ${subjectId}`
    case 'ratingDeleted':
    case 'ratingRestored':
      return subjectId === null ? null : `rating ${subjectId}`
    case 'suspended':
    case 'unsuspended':
      return person === null ? null : `person ${person.id}`
    default:
      return null
  }
}
