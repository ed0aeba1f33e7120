/** Sends a message to many clients, each in its own protocol. */
import { CLOSED, type HubConnection } from './hub-connection.ts'
import type { SharedMessage } from './protocol/shared-message.ts'

interface FanOutRules {
  /** True if recipients may also be on other nodes. */
  readonly isSentElsewhere: boolean
  readonly onFault: (error: unknown, where: string) => void
}

/**
 * A value may be writable in one protocol but not in another. A client that can't receive the message would miss
 * it silently, so its connection ends, as in the reference implementation, and it may reconnect; all others get
 * the message.
 * @throws the protocol's error when nobody can get the message: then the sender is at fault, and all connections
 * stay
 */
export function fanOut(
  members: Iterable<HubConnection>,
  message: SharedMessage,
  { isSentElsewhere, onFault }: FanOutRules,
): void {
  let failed: HubConnection[] | undefined
  let failure: unknown
  let isSent = isSentElsewhere
  for (const member of members) {
    try {
      member.sendShared(message)
      isSent = true
    } catch (error) {
      failure = error
      ;(failed ??= []).push(member)
    }
  }
  if (failed === undefined) return
  if (!isSent) throw failure
  onFault(failure, 'send')
  const cause = failure instanceof Error ? failure : new Error(String(failure))
  for (const member of failed) member.close({ error: CLOSED, allowReconnect: true }, cause)
}
