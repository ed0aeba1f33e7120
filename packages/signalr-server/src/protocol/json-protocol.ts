/** Encodes hub messages as JSON texts terminated by the record separator. */
import { checkJson, CLIENT_BOUNDS } from './bounds.ts'
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

export const RECORD_SEPARATOR = 0x1e
const SEPARATOR = String.fromCodePoint(RECORD_SEPARATOR)

type Fields = Readonly<Record<string, unknown>>

export const jsonProtocol: HubProtocol = {
  name: 'json',
  binary: false,
  parse: (record) => toMessage(readObject(record)),
  write: (message) => Buffer.from(stringify(toWire(message)) + SEPARATOR),
}

/** @throws ProtocolError for anything but a JSON object, and for too many levels or values */
export function readObject(record: Buffer): Fields {
  checkJson(record, CLIENT_BOUNDS)
  let value: unknown
  try {
    value = JSON.parse(record.toString('utf8'))
  } catch {
    throw new ProtocolError('not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ProtocolError('not an object')
  // Arrays were refused, so that only objects with names remain.
  return value as Fields
}

/** Omits absent fields, because clients treat a null id as an error. */
function toWire(message: HubMessage): unknown {
  if (message.type === STREAM_ITEM) return { ...message, item: message.item ?? null }
  return message
}

const DEEP = 100

/** Like the reference implementation, encodes bytes as base64 and times without trailing zeros in the fraction. */
function stringify(value: unknown): string {
  // A replacer makes this several times slower, and few messages need one.
  return isPlain(value, 0) ? JSON.stringify(value) : JSON.stringify(value, writeSpecial)
}

/** Returns true if `JSON.stringify` writes everything in it correctly. */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return depth < DEEP && value.every((item) => isPlain(item, depth + 1))
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer || 'toJSON' in value) return false
  if (depth >= DEEP) return false
  for (const key in value) if (!isPlain((value as Fields)[key], depth + 1)) return false
  return true
}

function writeSpecial(this: unknown, key: string, written: unknown): unknown {
  // The original value before its `toJSON` was applied.
  const value = (this as Fields)[key]
  if (value instanceof Date && typeof written === 'string')
    return written.replace(/\.?0{1,3}Z$/, 'Z')
  if (ArrayBuffer.isView(value))
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
  return value instanceof ArrayBuffer ? Buffer.from(value).toString('base64') : written
}

function toMessage(fields: Fields): HubMessage | null {
  const { type } = fields
  if (typeof type !== 'number') throw new ProtocolError('no type')
  switch (type) {
    case INVOCATION:
      return {
        type,
        invocationId: optionalText(fields, 'invocationId'),
        target: textOf(fields, 'target'),
        arguments: listOf(fields, 'arguments'),
        streamIds: streamIdsOf(fields),
      }
    case STREAM_INVOCATION:
      return {
        type,
        invocationId: textOf(fields, 'invocationId'),
        target: textOf(fields, 'target'),
        arguments: listOf(fields, 'arguments'),
        streamIds: streamIdsOf(fields),
      }
    case STREAM_ITEM:
      if (!('item' in fields)) throw new ProtocolError('no item')
      return { type, invocationId: textOf(fields, 'invocationId'), item: fields['item'] }
    case COMPLETION:
      return completionOf(fields)
    case CANCEL_INVOCATION:
      return { type, invocationId: textOf(fields, 'invocationId') }
    case PING:
      return { type }
    case CLOSE:
      return {
        type,
        error: optionalText(fields, 'error'),
        allowReconnect: fields['allowReconnect'] === true,
      }
    case ACK:
    case SEQUENCE:
      return { type, sequenceId: numberOf(fields, 'sequenceId') }
    default:
      return null
  }
}

function completionOf(fields: Fields): HubMessage {
  const error = optionalText(fields, 'error')
  const result = fields['result']
  if (error !== undefined && result !== undefined && result !== null)
    throw new ProtocolError('a result and an error')
  return { type: COMPLETION, invocationId: textOf(fields, 'invocationId'), error, result }
}

function textOf(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value !== 'string') throw new ProtocolError(`${name} is no text`)
  return value
}

function optionalText(fields: Fields, name: string): string | undefined {
  return fields[name] === undefined || fields[name] === null ? undefined : textOf(fields, name)
}

function numberOf(fields: Fields, name: string): number {
  const value = fields[name]
  if (!Number.isSafeInteger(value)) throw new ProtocolError(`${name} is no number`)
  return Number(value)
}

function listOf(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name]
  if (!Array.isArray(value)) throw new ProtocolError(`${name} is no list`)
  return value
}

function streamIdsOf(fields: Fields): readonly string[] | undefined {
  const value = fields['streamIds']
  if (value === undefined || value === null) return undefined
  const ids = listOf(fields, 'streamIds')
  if (!ids.every((id) => typeof id === 'string')) throw new ProtocolError('streamIds are no texts')
  return ids
}
