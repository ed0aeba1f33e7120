/** Decides which connections of a user end at a sign-out. */
import type { Order } from './backplane/orders.ts'
import type { HubUser } from './connections/connection.ts'

/** Connections that stay open. */
export interface Spared {
  /** The session that stays open. */
  readonly exceptSession?: string | null
  /** Keeps connections with `HubUser.lasting`. */
  readonly exceptLasting?: boolean
}

/** Returns true if the order ends this user's connections. */
export function isEnded(order: Order & { kind: 'close' }, user: HubUser | null): boolean {
  const { exceptSession, exceptLasting = false, onlySession } = order
  if (onlySession !== undefined) return user?.session === onlySession
  if (exceptLasting && user?.lasting === true) return false
  return exceptSession === null || user?.session !== exceptSession
}
