/** Passes events to subscribers in this process, without the publisher knowing them. platform/nodes sends them on. */
import type { Event } from '#server/platform/events/catalogue.ts'
import type { Log } from '#server/kernel/log.ts'

/** Whether this process published the event or received it from another node. */
export type Origin = 'here' | 'elsewhere'

export interface Events {
  /** Call it after the commit. Returns when all subscribers have been called; never throws. */
  publish(event: Event): void
  /** Like `publish`, for an event of another node, which isn't sent on. */
  receive(event: Event): void
  /**
   * Calls listeners in the order of their subscriptions. An exception in one is logged and affects neither the
   * publisher nor the other listeners.
   */
  subscribe(listener: (event: Event, origin: Origin) => void): void
}

export function createEvents(log: Pick<Log, 'error'>): Events {
  const listeners: ((event: Event, origin: Origin) => void)[] = []
  const call = (event: Event, origin: Origin) => {
    for (const listener of listeners) {
      try {
        listener(event, origin)
      } catch (error) {
        log.error({ err: error, event: event.type }, 'a subscriber of events failed')
      }
    }
  }
  return {
    publish: (event) => call(event, 'here'),
    receive: (event) => call(event, 'elsewhere'),
    subscribe: (listener) => {
      listeners.push(listener)
    },
  }
}
