/** The outbox: mails are written in the transaction of what causes them, and a job sends each. */
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { isEmail } from '#contract/accounts.ts'
import type { Locale } from '#contract/messages/messages.ts'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { jobKind } from '#server/platform/jobs/job.ts'
import { addJobLater, removeJobs } from '#server/platform/jobs/queue.ts'
import { newId } from '#server/kernel/ids.ts'

export interface Mailbox {
  /** Null for an address that belongs to no account. */
  readonly userId: string | null
  readonly address: string
  readonly locale: Locale
}

/** A mail of ours as packed messages (see #contract/message.ts), composed in the recipient's language. */
export interface Notice {
  readonly subject: string
  /** Paragraphs. */
  readonly lines: readonly string[]
  readonly link?: {
    readonly label: string
    /** Below the public address; `{token}` stands for the secret of `tokenId`. */
    readonly path: string
  }
  readonly tokenId?: string
  /** The account doesn't need it, so people who have ended notices don't get it. */
  readonly optional?: boolean
  /** The kind that one click ends; by default all optional ones. */
  readonly ends?: string
  /** Events, each with its URL; those read meanwhile are left out when the mail is sent. */
  readonly parts?: readonly NoticePart[]
  /** Paragraphs below the parts. */
  readonly after?: readonly string[]
  /** Kinds that each have a link to end them. */
  readonly endings?: readonly { readonly kind: string; readonly label: string }[]
}

export interface NoticePart {
  /** The id of a row in `notices`. */
  readonly id: number
  readonly line: string
  /** Below the public address. */
  readonly path: string
}

/** A person's mail: plain text, sent unchanged. */
export interface WrittenMail {
  readonly kind: 'letter' | 'report'
  /** One line. */
  readonly subject: string
  readonly text: string
  readonly replyTo: string
  /** The writer; a letter isn't sent if they are blocked, suspended or erased before. */
  readonly senderId?: string
  /** Waits until the recipient has confirmed the address. */
  readonly held: boolean
  /** Immediately by default. */
  readonly sendAfter?: Date
}

const OfMail = z.object({ id: z.number() })
export type OfMail = z.output<typeof OfMail>
export const SEND_MAIL = jobKind('sendMail', OfMail)

/** Puts a person's mail into the outbox. Returns its id. @throws RangeError for an invalid address */
export async function addMailLater(
  db: DbOrTx,
  to: Mailbox,
  mail: WrittenMail,
  now: Date,
): Promise<number> {
  const { kind, subject, text, replyTo, senderId = null, held } = mail
  refuseNoAddress(replyTo)
  return insert(
    db,
    to,
    { kind, subject, text, notice: null, tokenId: null, replyTo, senderId, held },
    now,
    mail.sendAfter ?? now,
  )
}

/** Puts a notice of ours into the outbox. Returns its id. @throws RangeError for an invalid address */
export async function addNoticeLater(
  db: DbOrTx,
  to: Mailbox,
  notice: Notice,
  now: Date,
): Promise<number> {
  const { subject, tokenId = null } = notice
  const row = {
    kind: 'notice',
    subject,
    text: null,
    notice: JSON.stringify(notice),
    tokenId,
    replyTo: null,
    senderId: null,
    held: false,
  }
  return insert(db, to, row, now, now)
}

interface Row {
  readonly kind: string
  readonly subject: string
  readonly text: string | null
  readonly notice: string | null
  readonly tokenId: string | null
  readonly replyTo: string | null
  readonly senderId: string | null
  readonly held: boolean
}

async function insert(
  db: DbOrTx,
  to: Mailbox,
  row: Row,
  now: Date,
  sendAfter: Date,
): Promise<number> {
  refuseNoAddress(to.address)
  const { rows } = await sql<{ id: number }>`
    insert into mails (message_id, kind, state, user_id, address, reply_to, subject, text, notice, locale, token_id,
      sender_id, created_at, send_after)
    values (${newId(now.getTime())}, ${row.kind}, ${row.held ? 'held' : 'waiting'}, ${to.userId}, ${to.address},
      ${row.replyTo}, ${toOneLine(row.subject)}, ${row.text}, ${row.notice}::jsonb, ${to.locale}, ${row.tokenId},
      ${row.senderId}, ${now}, ${sendAfter})
    returning id`.execute(db)
  const id = rows[0]?.id ?? 0
  if (!row.held) await queueMail(db, id, sendAfter)
  return id
}

/**
 * Withdraws an unsent mail that another one replaces. Returns `underWay` if it may be being sent right now, and
 * `gone` if it was sent or doesn't exist.
 */
export async function takeBackMail(tx: Tx, id: number): Promise<'takenBack' | 'underWay' | 'gone'> {
  const { rows } = await sql<{ waits: boolean }>`
    with back as (
      update mails set state = 'dropped', text = null, notice = null
      where id = ${id} and state in ('waiting', 'failed') and (claimed_until is null or claimed_until < now())
      returning id
    )
    select false as waits from back
    union all select true from mails where id = ${id} and state = 'waiting' and not exists (select from back)`.execute(
    tx,
  )
  if (rows[0] === undefined) return 'gone'
  return rows[0].waits ? 'underWay' : 'takenBack'
}

/** Queues the job of a waiting mail, and replaces one that hasn't begun. */
export function queueMail(db: DbOrTx, id: number, runAt: Date): Promise<void> {
  return addJobLater(db, SEND_MAIL, { id }, { key: keyOf(id), runAt })
}

/** Removes the jobs of these mails from the queue; a running one continues. */
export function unqueueMails(tx: Tx, ids: readonly number[]): Promise<void> {
  return removeJobs(tx, ids.map(keyOf))
}

/** The job key, because a mail has one job. */
const keyOf = (id: number) => `mail ${id}`

/** Returns a person's subject as one line, without characters that change the direction of text. */
export function toOneLine(text: string): string {
  return joinLines(text.replaceAll(/\p{Bidi_Control}+/gu, ''))
}

/** Joins lines, because a control character or line separator in a header would begin another header. */
export function joinLines(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

/** Callers have validated addresses by the contract; this is the last check. @throws RangeError */
export function refuseNoAddress(address: string): void {
  if (!isEmail(address)) throw new RangeError('not an e-mail address')
}
