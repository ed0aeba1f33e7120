/** Which connections of a user end when somebody signs out, and which stay. */
import type { Order } from './backplane/orders.ts'
import type { HubUser } from './connections/connection.ts'

/** Which connections of a user stay when the others are ended. */
export interface Spared {
  /** The one session that stays. */
  readonly exceptSession?: string | null
  /** Those of `HubUser.lasting` stay. */
  readonly exceptLasting?: boolean
}

/** Whether the order ends the connections of this user. */
export function isEnded(order: Order & { kind: 'close' }, user: HubUser | null): boolean {
  const { exceptSession, exceptLasting = false, onlySession } = order
  if (onlySession !== undefined) return user?.session === onlySession
  if (exceptLasting && user?.lasting === true) return false
  return exceptSession === null || user?.session !== exceptSession
}
