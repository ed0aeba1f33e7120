/** Announces new notices to open pages. */
import type { MailWay } from '#contract/notices.ts'
import type { Event } from '#server/platform/events/catalogue.ts'

/** A notice that was created or extended. */
export interface Noted {
  readonly id: number
  readonly userId: string
  readonly shown: boolean
  readonly mail: MailWay
  /** True if the notice is new, or had been read before it was extended. */
  readonly isNews: boolean
}

/** People per message to other nodes. */
const MOST_NAMED = 500

/** Announces to all nodes whose bell has a new number. */
export function noticed(noted: readonly Noted[]): readonly Event[] {
  const people = [...new Set(noted.filter(({ shown }) => shown).map(({ userId }) => userId))]
  const events: Event[] = []
  for (let from = 0; from < people.length; from += MOST_NAMED)
    events.push({ type: 'notices.changed', userIds: people.slice(from, from + MOST_NAMED) })
  return events
}
