import type { Action, LogEntry } from '#contract/moderation.ts'

const RESTORABLE_MS = 30 * 24 * 60 * 60 * 1000

/**
 * Returns the entries that can be undone: deletions of comments and ratings for 30 days, suspensions, and corrections
 * of points. Entries are sorted newest first, and only the newest one for the same subject counts.
 */
export function findReversible(entries: readonly LogEntry[], now: number): ReadonlySet<number> {
  const found = new Set<number>()
  const settled = new Set<string>()
  for (const entry of entries) {
    const thing = thingOf(entry)
    if (thing === null || settled.has(thing)) continue
    settled.add(thing)
    const isYoung = now - Date.parse(entry.date) < RESTORABLE_MS
    if (ALWAYS.has(entry.action) || (isDeletion(entry) && isYoung)) found.add(entry.id)
  }
  return found
}

const ALWAYS: ReadonlySet<Action> = new Set(['suspended', 'pointsCorrected'])

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
    case 'pointsCorrected':
    case 'correctionUndone':
      return subjectId === null ? null : `correction ${subjectId}`
    case 'suspended':
    case 'unsuspended':
      return person === null ? null : `person ${person.id}`
    default:
      return null
  }
}
