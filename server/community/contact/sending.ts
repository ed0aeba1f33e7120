/** Sends letters to lesson owners, and problem reports to the product owner. */
import { createHash } from 'node:crypto'
import type { Letter } from '#contract/mail.ts'
import { siteNameIn } from '#contract/site.ts'
import { foldEmail } from '#server/people/accounts/claims.ts'
import { networkOf } from '#server/kernel/network.ts'
import { isBlocked } from '#server/community/chat/blocks.ts'
import {
  insertAttempt,
  lockAttempts,
  MOST_AN_HOUR,
  secondsToWait,
  wasTaken,
} from '#server/community/contact/attempts.ts'
import { insertBug } from '#server/community/contact/bugs.ts'
import {
  findOwnerByEmail,
  findOwnerOfLesson,
  type Recipient,
} from '#server/community/contact/recipients.ts'
import { wordLetter, wordProblem } from '#server/community/contact/wording.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'
import { forbidden, invalidField, notFound, Refusal, unauthorized } from '#server/kernel/errors.ts'
import { findSendingTime } from '#server/platform/mail/letters.ts'
import type { Current } from '#server/kernel/settings/site-settings.ts'
import type { Queue } from '#server/kernel/limits/queue.ts'
import { addMailLater } from '#server/platform/mail/outbox.ts'

export interface SendingNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly config: Pick<Config, 'OWNER_EMAIL' | 'REPORT_ALIASES' | 'RATE_LIMITS'>
  readonly settings: Current<'names'>
  /** Origin of links in mails. */
  readonly publicUrl: string
  readonly queue: Queue
}

/** The sender, and their network address. */
export interface Sender {
  readonly viewer: Viewer | null
  readonly address: string
}

/**
 * Queues a letter. The answer doesn't reveal whether it is held, postponed or on its way. The same text to the
 * same person within a minute counts as one letter. Letters that fail validation don't count towards the limit;
 * letters refused here do, except with 401 and 429.
 * @throws Refusal 401, 403, 400 and 404 for recipients that can't be written to, 429 beyond 5 an hour
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
    // Returned instead of thrown, so that the transaction commits the attempt.
    const refused = await queue(tx, needs, viewer, letter, at)
    await insertAttempt(tx, subject, refused === null ? digest : null, at)
    return refused
  }
  const refusal = await needs.queue.run(subject, () => db.transaction().execute(attempt))
  if (refusal !== null) throw refusal
}

/** Only signed-in people may send this. */
const asksForOwner = ({ kind, lessonId }: Letter) => kind === 'contact' || lessonId !== undefined

function digestOf({ senderEmail, topic, emailText, ownerEmail, lessonId, kind }: Letter): string {
  const serialized = JSON.stringify([senderEmail, topic, emailText, ownerEmail, lessonId, kind])
  return createHash('sha256').update(serialized).digest('base64url')
}

function tooManyLetters(seconds: number): Refusal {
  const values = { max: MOST_AN_HOUR, minutes: Math.ceil(seconds / 60) }
  return new Refusal(429, 'lettersTooMany', { values, retryAfter: seconds })
}

/** Adds the mail to the outbox, or returns the refusal. */
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
    // People who may not write to owners must not learn whose address it is either.
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
  { settings, publicUrl }: SendingNeeds,
  { viewer, recipient, letter, at }: AddressedLetter,
): Promise<Refusal | null> {
  const { id: userId, address, locale, confirmed, lesson } = recipient
  if (userId === viewer.id)
    return invalidField(lesson === null ? 'ownerEmail' : 'lessonId', 'letterToOneself')
  if (await isBlocked(tx, userId, viewer.id)) return forbidden('letterRefused')
  const { senderEmail, topic, emailText } = letter
  const text = wordLetter({
    locale,
    site: siteNameIn(settings.current.names, locale).site,
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

/** Stores a report for administrators and mails it to the product owner in English. */
async function queueReport(
  tx: Tx,
  { config, settings, publicUrl }: SendingNeeds,
  viewer: Viewer | null,
  { senderEmail, topic, emailText }: Letter,
  at: Date,
): Promise<void> {
  await insertBug(tx, { userId: viewer?.id ?? null, senderEmail, topic, text: emailText, at })
  const locale = 'en'
  const { site } = siteNameIn(settings.current.names, locale)
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
