/** Limits concurrent calls of hub methods; people take turns, so that one person's calls delay nobody else's. */
import { HUB_CALLS_AT_ONCE } from '#contract/limits.ts'
import { withHubErrors } from '#server/community/chat/hub.ts'
import { Queue } from '#server/kernel/limits/queue.ts'
import type { HubFilter } from '#signalr'

/** A filter that makes each call wait for its turn. The caller gets an error when too many wait. */
export function createCallTurns(): HubFilter {
  const queue = new Queue(HUB_CALLS_AT_ONCE)
  return {
    invoke: ({ context }, next) =>
      withHubErrors(context, () => queue.run(context.user?.id ?? '', next)),
  }
}
