/** Writes, delivers and claims messages. Each message arrives once, whichever way requested it first. */
import type { Message } from '#contract/chat.ts'
import { MESSAGES_A_MINUTE } from '#contract/limits.ts'
import { shownPerson } from '#server/people/accounts/answer.ts'
import { findPersonByName } from '#server/people/accounts/claims.ts'
import {
  claimMessage,
  findDraft,
  findFormerOther,
  findMessage,
  insertMessage,
  markDelivered,
  type MessageRow,
} from '#server/community/chat/store.ts'
import type { Db } from '#server/platform/db/connect.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'
import { forbidden, invalidField, notFound, Refusal } from '#server/kernel/errors.ts'

/** Sends a message to connected clients, except `exceptConnection`, which has it. */
export type Deliver = (message: MessageRow, exceptConnection?: string) => void

interface Needs {
  readonly db: Db
  readonly clock: Clock
}

export interface DeliveryNeeds extends Needs {
  readonly deliver: Deliver
}

interface WritingNeeds extends Needs {
  readonly config: Pick<Config, 'RATE_LIMITS'>
}

export interface HubMessageNeeds extends WritingNeeds, DeliveryNeeds {}

const MINUTE_SECONDS = 60

/** Shows erased people as former members. */
export function toMessage(row: MessageRow): Message {
  return {
    id: row.id,
    text: row.text,
    senderUsername: row.sender_name,
    senderImage: shownPerson(row.sender_id, row.sender_name, row.sender_picture).imageUrl,
    receiverUsername: row.receiver_name,
    receiverImage: shownPerson(row.receiver_id, row.receiver_name, row.receiver_picture).imageUrl,
    date: row.created_at.toISOString(),
  }
}

/** @throws Refusal 404 */
async function requirePerson({ db, clock }: Needs, name: string): Promise<string> {
  const id = await findPersonByName(db, name, clock.now())
  if (id === null) throw notFound('profileNotFound')
  return id
}

const PERSON_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Finds the person whose conversation the reader opens. An erased person is identified by the id that the
 * conversation has as a contact, which can't be anybody's name.
 * @throws Refusal 404
 */
export async function requireOther(needs: Needs, readerId: string, name: string): Promise<string> {
  const former = PERSON_ID.test(name) ? await findFormerOther(needs.db, readerId, name) : null
  return former ?? requirePerson(needs, name)
}

export interface Letter {
  readonly senderId: string
  /** A current or former name. */
  readonly receiver: string
  readonly text: string
  readonly draftId?: string | undefined
}

/**
 * Writes a message and returns its row; a repeated draft returns the first result.
 * @throws Refusal 404 if nobody has that name, 400 to oneself, 403 if blocked, 429 for too many in a minute
 */
export async function writeMessage(
  needs: WritingNeeds,
  letter: Letter,
  delivered = false,
): Promise<MessageRow> {
  const { db, clock, config } = needs
  const receiverId = await requireReceiver(needs, letter)
  const { senderId, text, draftId } = letter
  const at = clock.now()
  const attempt = await insertMessage(db, {
    senderId,
    receiverId,
    text,
    draftId,
    at,
    delivered,
    most: config.RATE_LIMITS === 'on' ? MESSAGES_A_MINUTE : null,
  })
  const id = attempt.id ?? (draftId === undefined ? null : await findDraft(db, senderId, draftId))
  if (id === null) throw refusalOf(attempt, at)
  const message = await findMessage(db, id)
  if (message === null) throw new Error('a message was not written')
  return message
}

/** Delivers a message that no hub call has requested in time. */
export async function deliverUnclaimed(
  { db, clock, deliver }: DeliveryNeeds,
  id: number,
): Promise<void> {
  if (!(await markDelivered(db, id, clock.now()))) return
  const message = await findMessage(db, id)
  if (message !== null) deliver(message)
}

/**
 * Handles the hub call: delivers the caller's oldest waiting message with this text, unless it is delivered
 * already. If none waits, writes one by the same rules and delivers it.
 * @throws Refusal like `writeMessage`
 */
export async function deliverFromHub(
  needs: HubMessageNeeds,
  letter: Letter,
  connectionId: string,
): Promise<void> {
  const { db, clock, deliver } = needs
  const receiverId = await requireReceiver(needs, letter)
  const { senderId, text } = letter
  const claimed = await claimMessage(db, { senderId, receiverId, text, at: clock.now() })
  if (claimed === null) {
    deliver(await writeMessage(needs, letter, true), connectionId)
    return
  }
  const message = claimed.deliver ? await findMessage(db, claimed.id) : null
  if (message !== null) deliver(message, connectionId)
}

async function requireReceiver(needs: Needs, { senderId, receiver }: Letter): Promise<string> {
  const id = await requirePerson(needs, receiver)
  if (id === senderId) throw invalidField('receiverUsername', 'messageToOneself')
  return id
}

function refusalOf(
  { blocked, busySince }: { blocked: boolean; busySince: Date | null },
  at: Date,
): Refusal {
  if (blocked || busySince === null) return forbidden('messageRefused')
  const passed = Math.floor((at.getTime() - busySince.getTime()) / 1000)
  const seconds = Math.max(1, MINUTE_SECONDS - passed)
  return new Refusal(429, 'messagesTooFast', { values: { seconds }, retryAfter: seconds })
}
