/** Sends one message to many clients, each in its own protocol. */
import { CLOSED, type HubConnection } from './hub-connection.ts'
import type { SharedMessage } from './protocol/shared-message.ts'

interface FanOutRules {
  /** Others may get the message too: on another node, say. */
  readonly isSentElsewhere: boolean
  readonly onFault: (error: unknown, where: string) => void
}

/**
 * Some values can be written in one protocol and not in another. A client that can't be sent the message would miss it
 * without knowing, so its connection ends, as in the reference, and it may come back; all others get the message.
 * @throws what the protocol threw when nobody gets the message: then it is its sender's fault, and all stay
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
