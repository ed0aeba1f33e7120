/** Validates messages between nodes, because anybody who can write to Redis can send anything. */
import * as z from 'zod'
import type { Change } from '#server/platform/events/changes.ts'

const MOST_BYTES = 128 * 1024
const Id = z.string().min(1).max(100)
const Items = z
  .array(z.object({ kind: z.enum(['lesson', 'course']), id: z.int().positive() }))
  .max(1000)

/** The changes that nodes send each other. */
const Sent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('itemsChanged'), items: Items }),
  z.object({ kind: z.literal('numbersChanged'), items: Items }),
  z.object({ kind: z.literal('viewsCounted'), items: Items }),
  z.object({ kind: z.literal('personRenamed'), userId: Id }),
  z.object({ kind: z.literal('personErased'), userId: Id }),
  z.object({ kind: z.literal('personSuspended'), userId: Id }),
  z.object({
    kind: z.literal('sessionsRevoked'),
    userId: Id,
    exceptSession: Id.nullable(),
    tokensToo: z.boolean().optional(),
  }),
  z.object({ kind: z.literal('certificateChanged'), code: Id }),
  z.object({ kind: z.literal('webhooksChanged') }),
  z.object({ kind: z.literal('noticed'), userIds: z.array(Id).max(1000) }),
  z.object({ kind: z.literal('sessionEnded'), userId: Id, sessionId: Id }),
])

const Envelope = z.object({
  n: z.int().nonnegative(),
  t: z.number(),
  c: z.array(z.unknown()).max(1000),
  bye: z.boolean().optional(),
})

export interface BusMessage {
  /** Number of messages with changes from this sender, including this one. */
  readonly n: number
  /** The time of sending by the sender's clock. */
  readonly t: number
  readonly list: readonly Change[]
  /** The message contains only the number. */
  readonly isBeat: boolean
  /** The sender's last message: it isn't lost if nothing follows. */
  readonly isLast: boolean
  /** False when it contains changes that this version doesn't know. */
  readonly isWhole: boolean
}

/** Returns null for an invalid or overlong message. Never throws. */
export function readBusMessage(data: Buffer): BusMessage | null {
  if (data.length > MOST_BYTES) return null
  const envelope = Envelope.safeParse(parse(data))
  if (!envelope.success) return null
  const { n, t, c, bye = false } = envelope.data
  const judged = c.map((change) => Sent.safeParse(change))
  const list: Change[] = judged.flatMap(({ data: change }) =>
    change === undefined ? [] : [change],
  )
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
