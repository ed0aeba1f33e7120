/** Encodes hub messages as MessagePack arrays with a length prefix. */
import { decode, encode } from '@msgpack/msgpack'
import { checkMessagePack, CLIENT_BOUNDS } from './bounds.ts'
import {
  ACK,
  CANCEL_INVOCATION,
  CLOSE,
  COMPLETION,
  INVOCATION,
  PING,
  ProtocolError,
  SEQUENCE,
  STREAM_INVOCATION,
  STREAM_ITEM,
  type HubMessage,
  type HubProtocol,
} from './messages.ts'

/** Result kinds of a completion. */
const FAILED = 1
const VOID = 2
const WITH_RESULT = 3
const NO_HEADERS = {}

export const messagePackProtocol: HubProtocol = {
  name: 'messagepack',
  binary: true,
  parse: (record) => {
    checkMessagePack(record, CLIENT_BOUNDS)
    let value: unknown
    try {
      value = decode(record)
    } catch {
      throw new ProtocolError('not MessagePack')
    }
    if (!Array.isArray(value)) throw new ProtocolError('not an array')
    return toMessage(value)
  },
  write: (message) => withLength(encode(toArray(message), { ignoreUndefined: true })),
}

/** Frames bytes with their length as a variable-length integer of 7 bits per byte. */
export function withLength(bytes: Uint8Array): Buffer {
  const head: number[] = []
  let remaining = bytes.length
  do {
    head.push((remaining & 0x7f) | (remaining > 0x7f ? 0x80 : 0))
    remaining >>>= 7
  } while (remaining > 0)
  return Buffer.concat([Buffer.from(head), bytes])
}

function toArray(message: HubMessage): unknown[] {
  switch (message.type) {
    case INVOCATION:
    case STREAM_INVOCATION:
      return [
        message.type,
        NO_HEADERS,
        message.invocationId ?? null,
        message.target,
        message.arguments,
        message.streamIds ?? [],
      ]
    case STREAM_ITEM:
      return [message.type, NO_HEADERS, message.invocationId, message.item ?? null]
    case COMPLETION: {
      const head = [message.type, NO_HEADERS, message.invocationId]
      if (message.error !== undefined) return [...head, FAILED, message.error]
      return message.result === undefined ? [...head, VOID] : [...head, WITH_RESULT, message.result]
    }
    case CANCEL_INVOCATION:
      return [message.type, NO_HEADERS, message.invocationId]
    case PING:
      return [message.type]
    case CLOSE:
      return [message.type, message.error ?? null, message.allowReconnect ?? false]
    case ACK:
    case SEQUENCE:
      return [message.type, message.sequenceId]
  }
}

function toMessage(parts: readonly unknown[]): HubMessage | null {
  const [type] = parts
  switch (type) {
    case INVOCATION:
      return {
        type,
        invocationId: parts[2] === null || parts[2] === undefined ? undefined : textAt(parts, 2),
        target: textAt(parts, 3),
        arguments: listAt(parts, 4),
        streamIds: streamIdsAt(parts, 5),
      }
    case STREAM_INVOCATION:
      return {
        type,
        invocationId: textAt(parts, 2),
        target: textAt(parts, 3),
        arguments: listAt(parts, 4),
        streamIds: streamIdsAt(parts, 5),
      }
    case STREAM_ITEM:
      if (parts.length < 4) throw new ProtocolError('no item')
      return { type, invocationId: textAt(parts, 2), item: parts[3] }
    case COMPLETION:
      return completionOf(parts)
    case CANCEL_INVOCATION:
      return { type, invocationId: textAt(parts, 2) }
    case PING:
      return { type }
    case CLOSE:
      return {
        type,
        error: typeof parts[1] === 'string' ? parts[1] : undefined,
        allowReconnect: parts[2] === true,
      }
    case ACK:
    case SEQUENCE:
      return { type, sequenceId: numberAt(parts, 1) }
    default:
      if (typeof type !== 'number') throw new ProtocolError('no type')
      return null
  }
}

function completionOf(parts: readonly unknown[]): HubMessage {
  const invocationId = textAt(parts, 2)
  switch (parts[3]) {
    case FAILED:
      return { type: COMPLETION, invocationId, error: textAt(parts, 4) }
    case VOID:
      return { type: COMPLETION, invocationId }
    case WITH_RESULT:
      return { type: COMPLETION, invocationId, result: parts[4] }
    default:
      throw new ProtocolError('no kind of result')
  }
}

function textAt(parts: readonly unknown[], place: number): string {
  const value = parts[place]
  if (typeof value !== 'string') throw new ProtocolError(`no text at ${place}`)
  return value
}

function numberAt(parts: readonly unknown[], place: number): number {
  const value = Number(parts[place])
  if (!Number.isSafeInteger(value)) throw new ProtocolError(`no number at ${place}`)
  return value
}

function listAt(parts: readonly unknown[], place: number): readonly unknown[] {
  const value = parts[place]
  if (!Array.isArray(value)) throw new ProtocolError(`no list at ${place}`)
  return value
}

function streamIdsAt(parts: readonly unknown[], place: number): readonly string[] | undefined {
  if (parts[place] === undefined || parts[place] === null) return undefined
  const ids = listAt(parts, place)
  if (!ids.every((id) => typeof id === 'string')) throw new ProtocolError('streamIds are no texts')
  return ids.length === 0 ? undefined : ids
}
