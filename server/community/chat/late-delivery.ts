/** Delivers messages that were written over HTTP and for which no hub call came. */
import { deliverUnclaimed, type DeliveryNeeds } from '#server/community/chat/messages.ts'
import type { Log } from '#server/kernel/log.ts'

/** In ms; a message that no hub call requests within this time is delivered by the server. */
const UNCLAIMED_MS = 2000

export interface LateDelivery {
  /** Delivers the message in two seconds, unless a hub call requests it before. */
  deliverLater(messageId: number): void
  /** Delivers waiting messages at once: without it, clients on other nodes wouldn't see them before a reload. */
  deliverAll(): Promise<void>
}

/** Failures are only logged: the message is stored, and its reader gets it with the next connection. */
export function createLateDelivery(
  needs: DeliveryNeeds & { readonly log: Pick<Log, 'error'> },
): LateDelivery {
  const timers = new Map<number, NodeJS.Timeout>()
  const deliverNow = (id: number) => {
    clearTimeout(timers.get(id))
    timers.delete(id)
    return deliverUnclaimed(needs, id).catch((error: unknown) =>
      needs.log.error({ err: error }, 'chat'),
    )
  }
  return {
    deliverLater: (id) => {
      if (timers.has(id)) return
      timers.set(
        id,
        setTimeout(() => void deliverNow(id), UNCLAIMED_MS),
      )
    },
    deliverAll: async () => {
      await Promise.all([...timers.keys()].map(deliverNow))
    },
  }
}
