/** Messages between the nodes of a hub, and their encoding. */
import { checkJson, NODE_BOUNDS } from '../protocol/bounds.ts'

export type Order =
  | {
      readonly kind: 'send'
      readonly method: string
      readonly parameters: readonly unknown[]
      /** The recipients. Absent for all connections of the channel. */
      readonly only?: string | readonly string[]
      /** Channels whose connections receive it once each. Absent for the channel that it was sent to. */
      readonly channels?: readonly string[]
      /** Excluded connections. */
      readonly except?: string | readonly string[] | undefined
    }
  | {
      readonly kind: 'close'
      readonly exceptSession: string | null
      /** Excludes connections that are not sign-ins of a person. */
      readonly exceptLasting?: boolean
      /** The only session whose connections end. Absent for all except `exceptSession`. */
      readonly onlySession?: string
    }
  | {
      readonly kind: 'ask'
      readonly connectionId: string
      readonly method: string
      readonly parameters: readonly unknown[]
      /** Response timeout in ms. */
      readonly waitMs?: number
      /** The waiting node, and the number of its request. */
      readonly node: string
      readonly number: number
    }
  | {
      /** Adds a connection to a group, or removes it. */
      readonly kind: 'join' | 'leave'
      readonly connectionId: string
      readonly group: string
      readonly node: string
      readonly number: number
    }

/** Responds to a numbered request. */
export interface Reply {
  readonly number: number
  readonly result?: unknown
  readonly error?: string
}

/** Encodes orders. All nodes must use the same codec. */
export interface OrderCodec {
  encode(value: unknown): Uint8Array
  decode(bytes: Uint8Array): unknown
}

type Fields = Readonly<Record<string, unknown>>

/** JSON that preserves bytes and dates. */
export const jsonCodec: OrderCodec = {
  encode: (value) => {
    const bytes = Buffer.from(JSON.stringify(pack(value)))
    // Fails at the sender for what other nodes would refuse.
    checkJson(bytes, NODE_BOUNDS)
    return bytes
  },
  decode: (bytes) => {
    checkJson(bytes, NODE_BOUNDS)
    return unpack(JSON.parse(Buffer.from(bytes).toString('utf8')))
  },
}

/** Escapes names that start with a dollar sign with another one, so that ours are unique. */
function pack(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(pack)
  if (ArrayBuffer.isView(value))
    return {
      $bytes: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64'),
    }
  if (value instanceof ArrayBuffer) return { $bytes: Buffer.from(value).toString('base64') }
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? null : { $time: value.getTime() }
  if ('toJSON' in value && typeof value.toJSON === 'function') return pack(value.toJSON())
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [
      name.startsWith('$') ? `$${name}` : name,
      pack(held),
    ]),
  )
}

function unpack(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(unpack)
  const { $bytes, $time } = value as Fields
  if (typeof $bytes === 'string') return new Uint8Array(Buffer.from($bytes, 'base64'))
  if (typeof $time === 'number') return new Date($time)
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [
      name.startsWith('$$') ? name.slice(1) : name,
      unpack(held),
    ]),
  )
}
