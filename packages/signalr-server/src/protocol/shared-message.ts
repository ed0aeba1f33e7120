import { INVOCATION, type HubProtocol } from './messages.ts'

export interface SharedMessage {
  /** @throws the protocol's error for a value that it can't encode */
  frameFor(protocol: HubProtocol): Buffer
}

/** Encodes a message for many connections once per protocol, when the first connection needs it. */
export function shareMessage(target: string, parameters: readonly unknown[]): SharedMessage {
  const frames = new Map<string, Buffer | { readonly failure: unknown }>()
  const write = (protocol: HubProtocol) => {
    try {
      return protocol.write({ type: INVOCATION, target, arguments: parameters })
    } catch (failure) {
      return { failure }
    }
  }
  return {
    frameFor: (protocol) => {
      const frame = frames.get(protocol.name) ?? write(protocol)
      frames.set(protocol.name, frame)
      if ('failure' in frame) throw frame.failure
      return frame
    },
  }
}
