/**
 * The messages of the hub protocol, independent of their encoding. Source: HubProtocol.md of dotnet/aspnetcore.
 */

export const INVOCATION = 1
export const STREAM_ITEM = 2
export const COMPLETION = 3
export const STREAM_INVOCATION = 4
export const CANCEL_INVOCATION = 5
export const PING = 6
export const CLOSE = 7
export const ACK = 8
export const SEQUENCE = 9

export interface Invocation {
  readonly type: typeof INVOCATION
  /** Without it, no response is expected. */
  readonly invocationId?: string | undefined
  readonly target: string
  readonly arguments: readonly unknown[]
  /** Ids of the streams that the caller uploads, in the order of the method's stream parameters. */
  readonly streamIds?: readonly string[] | undefined
}
export interface StreamItem {
  readonly type: typeof STREAM_ITEM
  readonly invocationId: string
  readonly item: unknown
}
export interface Completion {
  readonly type: typeof COMPLETION
  readonly invocationId: string
  /** A completion has either an error or an optional result. */
  readonly error?: string | undefined
  /** Undefined if there is none. */
  readonly result?: unknown
}
export interface StreamInvocation {
  readonly type: typeof STREAM_INVOCATION
  readonly invocationId: string
  readonly target: string
  readonly arguments: readonly unknown[]
  readonly streamIds?: readonly string[] | undefined
}
export interface CancelInvocation {
  readonly type: typeof CANCEL_INVOCATION
  readonly invocationId: string
}
export interface Ping {
  readonly type: typeof PING
}
export interface Close {
  readonly type: typeof CLOSE
  readonly error?: string | undefined
  /** True if the client may reconnect automatically. */
  readonly allowReconnect?: boolean | undefined
}
export interface Ack {
  readonly type: typeof ACK
  readonly sequenceId: number
}
export interface Sequence {
  readonly type: typeof SEQUENCE
  readonly sequenceId: number
}

export type HubMessage =
  | Invocation
  | StreamItem
  | Completion
  | StreamInvocation
  | CancelInvocation
  | Ping
  | Close
  | Ack
  | Sequence

/** Types 1 to 5, which stateful reconnect counts, acknowledges and repeats. */
export function isCounted(message: HubMessage): boolean {
  return message.type <= CANCEL_INVOCATION
}

/** Invalid data that no conforming client sends. Ends the connection. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
}

/** Encodes messages. A record is one message without framing. */
export interface HubProtocol {
  /** The name that clients send in the handshake. */
  readonly name: string
  /** True for frames of bytes with a length prefix, false for texts that end in the record separator. */
  readonly binary: boolean
  /** Returns null for an unknown type, which must be ignored. @throws ProtocolError */
  parse(record: Buffer): HubMessage | null
  /** Returns a complete frame. */
  write(message: HubMessage): Buffer
}
