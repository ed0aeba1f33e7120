/** Validates messages between nodes, because anybody who can write to Redis can send anything. */
import * as z from 'zod'
import { Event, KINDS } from '#server/platform/events/catalogue.ts'

const MOST_BYTES = 128 * 1024

const Envelope = z.object({
  n: z.int().nonnegative(),
  t: z.number(),
  c: z.array(z.unknown()).max(1000),
  bye: z.boolean().optional(),
})

export interface BusMessage {
  /** Number of messages with events from this sender, including this one. */
  readonly n: number
  /** The time of sending by the sender's clock. */
  readonly t: number
  readonly list: readonly Event[]
  /** The message contains only the number. */
  readonly isBeat: boolean
  /** The sender's last message: it isn't lost if nothing follows. */
  readonly isLast: boolean
  /** False when it contains events that this version doesn't know. */
  readonly isWhole: boolean
}

/** Returns null for an invalid or overlong message. Never throws. */
export function readBusMessage(data: Buffer): BusMessage | null {
  if (data.length > MOST_BYTES) return null
  const envelope = Envelope.safeParse(parse(data))
  if (!envelope.success) return null
  const { n, t, c, bye = false } = envelope.data
  const list = c.flatMap((each) => {
    const { data: event } = Event.safeParse(each)
    return event !== undefined && KINDS[event.type].sent ? [event] : []
  })
  const isWhole = list.length === c.length
  return { n, t, list, isBeat: c.length === 0, isLast: bye, isWhole }
}

function parse(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString('utf8'))
  } catch {
    return null
  }
}
