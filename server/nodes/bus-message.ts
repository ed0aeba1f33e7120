/** A message of the bus between nodes, judged: whoever may write to Redis can send anything. */
import * as z from 'zod'
import type { Change } from '#server/kernel/changes.ts'

const MOST_BYTES = 128 * 1024
const Id = z.string().min(1).max(100)
const Items = z
  .array(z.object({ kind: z.enum(['lesson', 'course']), id: z.int().positive() }))
  .max(1000)

/** The changes that nodes tell each other. */
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
  /** How many messages with changes the sender has sent, this one among them. */
  readonly n: number
  /** When it was sent, by the sender's own clock. */
  readonly t: number
  readonly list: readonly Change[]
  /** It only says the number. */
  readonly isBeat: boolean
  /** It is the sender's last one: who is not heard of after it has not been lost. */
  readonly isLast: boolean
  /** False when it holds changes that this version does not know. */
  readonly isWhole: boolean
}

/** Null for what is no message of the bus, or too long for one. Never throws. */
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
