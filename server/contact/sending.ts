/** The verb: sendLetter, to a lesson's owner or as a report of a problem to the product owner. */
import { createHash } from 'node:crypto'
import type { Letter } from '#contract/mail.ts'
import { foldEmail } from '#server/accounts/claims.ts'
import { networkOf } from '#server/kernel/network.ts'
import { isBlocked } from '#server/chat/blocks.ts'
import {
  insertAttempt,
  lockAttempts,
  MOST_AN_HOUR,
  secondsToWait,
  wasTaken,
} from '#server/contact/attempts.ts'
import { insertBug } from '#server/contact/bugs.ts'
import { findOwnerByEmail, findOwnerOfLesson, type Recipient } from '#server/contact/recipients.ts'
import { wordLetter, wordProblem } from '#server/contact/wording.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'
import { forbidden, invalidField, notFound, Refusal, unauthorized } from '#server/kernel/errors.ts'
import { findSendingTime } from '#server/mail/letters.ts'
import { siteNames, type SiteConfig } from '#server/kernel/site.ts'
import type { InTurn } from '#server/kernel/queues/turns.ts'
import { addMailLater } from '#server/mail/outbox.ts'

export interface SendingNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly config: Pick<Config, 'OWNER_EMAIL' | 'REPORT_ALIASES' | 'RATE_LIMITS'> & SiteConfig
  /** Origin of the links in mails. */
  readonly publicUrl: string
  readonly inTurn: InTurn
}

/** Who writes, and from where. */
export interface Sender {
  readonly viewer: Viewer | null
  readonly address: string
}

/**
 * Queues a letter and answers whoever it is for in the same way: held, postponed or on its way. The same words to
 * the same person within a minute are one letter. What the form's rules refuse comes never so far and counts
 * nothing; what is refused here counts, except 401 and 429.
 * @throws Refusal 401, 403, 400 and 404 for whom one can't write to, 429 beyond 5 an hour
 */
export async function sendLetter(
  needs: SendingNeeds,
  sender: Sender,
  letter: Letter,
): Promise<void> {
  const { db, clock, config } = needs
  const { viewer } = sender
  if (viewer === null && letter.kind !== 'report' && asksForOwner(letter)) throw unauthorized()
  const subject = viewer === null ? `address:${networkOf(sender.address)}` : `user:${viewer.id}`
  const digest = digestOf(letter)
  const at = clock.now()
  const attempt = async (tx: Tx): Promise<Refusal | null> => {
    await lockAttempts(tx, subject)
    if (await wasTaken(tx, subject, digest, at)) return null
    const seconds = config.RATE_LIMITS === 'on' ? await secondsToWait(tx, subject, at) : 0
    if (seconds > 0) return tooManyLetters(seconds)
    // Returned, not thrown: the attempt counts although nothing is sent.
    const refused = await queue(tx, needs, viewer, letter, at)
    await insertAttempt(tx, subject, refused === null ? digest : null, at)
    return refused
  }
  const refusal = await needs.inTurn(subject, () => db.transaction().execute(attempt))
  if (refusal !== null) throw refusal
}

/** What only the signed-in may ask for. */
const asksForOwner = ({ kind, lessonId }: Letter) => kind === 'contact' || lessonId !== undefined

function digestOf({ senderEmail, topic, emailText, ownerEmail, lessonId, kind }: Letter): string {
  const whole = JSON.stringify([senderEmail, topic, emailText, ownerEmail, lessonId, kind])
  return createHash('sha256').update(whole).digest('base64url')
}

function tooManyLetters(seconds: number): Refusal {
  const values = { max: MOST_AN_HOUR, minutes: Math.ceil(seconds / 60) }
  return new Refusal(429, 'lettersTooMany', { values, retryAfter: seconds })
}

/** Writes the mail into the outbox, or says why not. */
async function queue(
  tx: Tx,
  needs: SendingNeeds,
  viewer: Viewer | null,
  letter: Letter,
  at: Date,
): Promise<Refusal | null> {
  const { lessonId, ownerEmail, kind } = letter
  const named = lessonId === undefined || kind === 'report' ? ownerEmail : undefined
  const isOurs = named !== undefined && isProductOwner(needs.config, named)
  const isReport = viewer === null || kind === 'report' || isOurs
  if (isReport) {
    // Who may not write to owners learns nothing of whose an address is either.
    if (named !== undefined && !isOurs) return invalidField('ownerEmail', 'letterToNobody')
    await queueReport(tx, needs, viewer, letter, at)
    return null
  }
  if (lessonId !== undefined) {
    const recipient = await findOwnerOfLesson(tx, lessonId)
    if (recipient === null) return notFound('lessonNotFound')
    return queueLetter(tx, needs, { viewer, recipient, letter, at })
  }
  if (named === undefined) return invalidField('ownerEmail', 'letterWithoutOwner')
  const recipient = await findOwnerByEmail(tx, named)
  if (recipient === null) return invalidField('ownerEmail', 'letterToNobody')
  return queueLetter(tx, needs, { viewer, recipient, letter, at })
}

function isProductOwner(config: SendingNeeds['config'], email: string): boolean {
  return [config.OWNER_EMAIL, ...config.REPORT_ALIASES].map(foldEmail).includes(foldEmail(email))
}

interface AddressedLetter {
  readonly viewer: Viewer
  readonly recipient: Recipient
  readonly letter: Letter
  readonly at: Date
}

async function queueLetter(
  tx: Tx,
  { config, publicUrl }: SendingNeeds,
  { viewer, recipient, letter, at }: AddressedLetter,
): Promise<Refusal | null> {
  const { id: userId, address, locale, confirmed, lesson } = recipient
  if (userId === viewer.id)
    return invalidField(lesson === null ? 'ownerEmail' : 'lessonId', 'letterToOneself')
  if (await isBlocked(tx, userId, viewer.id)) return forbidden('letterRefused')
  const { senderEmail, topic, emailText } = letter
  const text = wordLetter({
    locale,
    site: siteNames(config)[locale].site,
    publicUrl,
    writer: viewer,
    lesson,
    senderEmail,
    text: emailText,
  })
  const sendAfter = await findSendingTime(tx, { userId, senderId: viewer.id }, at)
  await addMailLater(
    tx,
    { userId, address, locale },
    {
      kind: 'letter',
      subject: topic,
      text,
      replyTo: senderEmail,
      senderId: viewer.id,
      held: !confirmed,
      sendAfter,
    },
    at,
  )
  return null
}

/** Stored for the administrators and mailed to the product owner, who reads English. */
async function queueReport(
  tx: Tx,
  { config, publicUrl }: SendingNeeds,
  viewer: Viewer | null,
  { senderEmail, topic, emailText }: Letter,
  at: Date,
): Promise<void> {
  await insertBug(tx, { userId: viewer?.id ?? null, senderEmail, topic, text: emailText, at })
  const locale = 'en'
  const { site } = siteNames(config)[locale]
  const text = wordProblem({
    locale,
    site,
    publicUrl,
    writer: viewer,
    senderEmail,
    text: emailText,
  })
  await addMailLater(
    tx,
    { userId: null, address: config.OWNER_EMAIL, locale },
    {
      kind: 'report',
      subject: topic,
      text,
      replyTo: senderEmail,
      held: false,
      ...(viewer !== null && { senderId: viewer.id }),
    },
    at,
  )
}
