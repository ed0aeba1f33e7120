/** Delivers messages that were written by HTTP and for which no hub call came. */
import { deliverUnclaimed, type DeliveryNeeds } from '#server/chat/messages.ts'
import type { Log } from '#server/kernel/log.ts'

/** What no hub call has asked for by then is delivered by us. */
const UNCLAIMED_MS = 2000

export interface LateDelivery {
  /** Delivers the message in two seconds, unless a hub call has asked for it by then. */
  deliverLater(messageId: number): void
  /** Delivers at once what still waits: who listens at another node would not hear of it before a reload. */
  deliverAll(): Promise<void>
}

/** What fails is logged: the message is stored, and its reader finds it at the next connection. */
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
