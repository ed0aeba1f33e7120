/** What was made of what happened, and how open pages hear of it. */
import type { MailWay } from '#contract/notices.ts'
import type { Db } from '#server/db/connect.ts'
import type { Changes } from '#server/kernel/changes.ts'
import type { Clock } from '#server/kernel/clock.ts'

export interface SettlingNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly changes: Changes
}

/** A notice that was made or added to. */
export interface Noted {
  readonly id: number
  readonly userId: string
  readonly shown: boolean
  readonly mail: MailWay
  /** Its person has not been told of it, or had read what there was of it. */
  readonly isNews: boolean
}

/** People in one message to other nodes. */
const MOST_NAMED = 500

/** Says on all nodes whose bell has another number now. */
export function publishNoticed(changes: Changes, people: readonly string[]): void {
  for (let from = 0; from < people.length; from += MOST_NAMED)
    changes.publish({ kind: 'noticed', userIds: people.slice(from, from + MOST_NAMED) })
}
