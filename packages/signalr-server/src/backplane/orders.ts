/** What travels between the nodes of one hub, and how it becomes bytes. */
import { checkJson, NODE_BOUNDS } from '../protocol/bounds.ts'

export type Order =
  | {
      readonly kind: 'send'
      readonly method: string
      readonly parameters: readonly unknown[]
      /** The connections that get it; absent: all of the channel. */
      readonly only?: string | readonly string[]
      /** The channels whose connections get it, each once; absent: those of the one that it comes over. */
      readonly channels?: readonly string[]
      /** The connections that do not get it. */
      readonly except?: string | readonly string[] | undefined
    }
  | {
      readonly kind: 'close'
      readonly exceptSession: string | null
      /** Those that are no sign-in of a person stay. */
      readonly exceptLasting?: boolean
      /** The one session whose connections end; absent: all but those of `exceptSession`. */
      readonly onlySession?: string
    }
  | {
      readonly kind: 'ask'
      readonly connectionId: string
      readonly method: string
      readonly parameters: readonly unknown[]
      /** Milliseconds for the answer. */
      readonly waitMs?: number
      /** The node that waits, and under which number. */
      readonly node: string
      readonly number: number
    }
  | {
      /** Takes a connection into a group, or out of it. */
      readonly kind: 'join' | 'leave'
      readonly connectionId: string
      readonly group: string
      readonly node: string
      readonly number: number
    }

/** What comes back for what has a number. */
export interface Reply {
  readonly number: number
  readonly result?: unknown
  readonly error?: string
}

/** How orders become bytes; the same on all nodes. */
export interface OrderCodec {
  encode(value: unknown): Uint8Array
  decode(bytes: Uint8Array): unknown
}

type Fields = Readonly<Record<string, unknown>>

/** JSON, in which bytes and times come back as what they were. */
export const jsonCodec: OrderCodec = {
  encode: (value) => {
    const bytes = Buffer.from(JSON.stringify(pack(value)))
    // Its sender learns what the other nodes would refuse.
    checkJson(bytes, NODE_BOUNDS)
    return bytes
  },
  decode: (bytes) => {
    checkJson(bytes, NODE_BOUNDS)
    return unpack(JSON.parse(Buffer.from(bytes).toString('utf8')))
  },
}

/** Names that begin with a dollar sign get one more, so that ours are ours alone. */
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
