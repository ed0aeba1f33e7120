/** Hub messages as JSON texts that end in the record separator. */
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

/** @throws ProtocolError for what is no JSON object, or nests or holds too much */
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
  // A list is no object here, so it has names alone.
  return value as Fields
}

/** What would be omitted is omitted: clients take a null id for a wrong one. */
function toWire(message: HubMessage): unknown {
  if (message.type === STREAM_ITEM) return { ...message, item: message.item ?? null }
  return message
}

const DEEP = 100

/** As the reference writes: bytes in base64, times without zeros behind the second. */
function stringify(value: unknown): string {
  // A replacer makes it several times slower, and few messages need one.
  return isPlain(value, 0) ? JSON.stringify(value) : JSON.stringify(value, writeSpecial)
}

/** True when nothing in it is written otherwise than `JSON.stringify` would. */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return depth < DEEP && value.every((item) => isPlain(item, depth + 1))
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer || 'toJSON' in value) return false
  if (depth >= DEEP) return false
  for (const key in value) if (!isPlain((value as Fields)[key], depth + 1)) return false
  return true
}

function writeSpecial(this: unknown, key: string, written: unknown): unknown {
  // What it was before its own `toJSON` had a say.
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
