/** An event for many: encoded once for each protocol, not once for each connection. */
import { INVOCATION, type HubProtocol } from './messages.ts'

export interface SharedMessage {
  frameFor(protocol: HubProtocol): Buffer
}

/** A message for many connections, encoded once for each protocol, when the first connection needs it. */
export function shareMessage(target: string, parameters: readonly unknown[]): SharedMessage {
  const frames = new Map<string, Buffer>()
  return {
    frameFor: (protocol) => {
      const known = frames.get(protocol.name)
      if (known !== undefined) return known
      const frame = protocol.write({ type: INVOCATION, target, arguments: parameters })
      frames.set(protocol.name, frame)
      return frame
    },
  }
}
