/** Announces new notices to open pages. */
import type { MailWay } from '#contract/notices.ts'
import type { Db } from '#server/platform/db/connect.ts'
import type { Changes } from '#server/platform/events/changes.ts'
import type { Clock } from '#server/kernel/clock.ts'

export interface SettlingNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly changes: Changes
}

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
export function publishNoticed(changes: Changes, people: readonly string[]): void {
  for (let from = 0; from < people.length; from += MOST_NAMED)
    changes.publish({ type: 'notices.changed', userIds: people.slice(from, from + MOST_NAMED) })
}
