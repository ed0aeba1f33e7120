/** Limits concurrent calls of hub methods; people take turns, so that one person's calls delay nobody else's. */
import { withHubErrors } from '#server/community/chat/hub.ts'
import { createFairTurns } from '#server/kernel/queues/fair-turns.ts'
import type { HubFilter } from '#signalr'

/** Fewer than the database's connections, so that pages and API calls find one. */
const AT_ONCE = 8
const MOST_WAITING = 1000
/** Of one person: one call for each of their connections. */
const WAITING_EACH = 50
const LONGEST_WAIT_MS = 10_000

/** A filter that makes each call wait for its turn. The caller gets an error when too many wait. */
export function createCallTurns(): HubFilter {
  const inTurn = createFairTurns({
    atOnce: AT_ONCE,
    most: MOST_WAITING,
    each: WAITING_EACH,
    longest: LONGEST_WAIT_MS,
  })
  return {
    invoke: ({ context }, next) =>
      withHubErrors(context, () => inTurn({ name: context.user?.id ?? '', isKnown: false }, next)),
  }
}
