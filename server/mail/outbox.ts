/** The outbox: mails wait here, written in the transaction of what causes them; a job sends each. */
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { isEmail } from '#contract/accounts.ts'
import type { Locale } from '#contract/messages/messages.ts'
import type { DbOrTx, Tx } from '#server/db/connect.ts'
import { jobKind } from '#server/jobs/job.ts'
import { addJobLater, removeJobs } from '#server/jobs/queue.ts'
import { newId } from '#server/kernel/ids.ts'

/** Where a mail goes. */
export interface Mailbox {
  /** Null: no one of ours. */
  readonly userId: string | null
  readonly address: string
  readonly locale: Locale
}

/** What we write ourselves, as packed messages (see #contract/message.ts): composed in the recipient's language. */
export interface Notice {
  readonly subject: string
  /** Paragraphs. */
  readonly lines: readonly string[]
  readonly link?: {
    readonly label: string
    /** Below the public address; `{token}` in it stands for the secret of `tokenId`. */
    readonly path: string
  }
  readonly tokenId?: string
  /** Not needed to use the account: who has ended the notices does not get it. */
  readonly optional?: boolean
  /** The kind that one click ends; all optional ones unless given. */
  readonly ends?: string
  /** What happened, each with the address of where; what was read meanwhile is left out when the mail goes. */
  readonly parts?: readonly NoticePart[]
  /** Paragraphs below them. */
  readonly after?: readonly string[]
  /** Kinds that can be ended each by a link of its own. */
  readonly endings?: readonly { readonly kind: string; readonly label: string }[]
}

export interface NoticePart {
  /** Of a row of `notices`. */
  readonly id: number
  readonly line: string
  /** Below the public address. */
  readonly path: string
}

/** What a person writes: plain text, as it is. */
export interface WrittenMail {
  readonly kind: 'letter' | 'report'
  /** One line. */
  readonly subject: string
  readonly text: string
  readonly replyTo: string
  /** Who wrote it; a letter does not go when they are blocked, suspended or erased before. */
  readonly senderId?: string
  /** Waits until the recipient has confirmed the address. */
  readonly held: boolean
  /** At once unless given. */
  readonly sendAfter?: Date
}

const OfMail = z.object({ id: z.number() })
export type OfMail = z.output<typeof OfMail>
/** Sends a mail. */
export const SEND_MAIL = jobKind('sendMail', OfMail)

/** Puts what a person wrote into the outbox. Answers its id. @throws RangeError for what is no address */
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

/** Puts a notice of ours into the outbox. Answers its id. @throws RangeError for what is no address */
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
 * Takes a mail back that has not gone out, because another one takes its place. `underWay`: it may be going at this
 * moment; `gone`: it went, or there is none.
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

/** Gives a waiting mail its job; one that it has and that has not begun is replaced. */
export function queueMail(db: DbOrTx, id: number, runAt: Date): Promise<void> {
  return addJobLater(db, SEND_MAIL, { id }, { key: keyOf(id), runAt })
}

/** Takes the jobs that were to send these mails out of the queue; one that runs goes on. */
export function unqueueMails(tx: Tx, ids: readonly number[]): Promise<void> {
  return removeJobs(tx, ids.map(keyOf))
}

/** A mail has one job. */
const keyOf = (id: number) => `mail ${id}`

/** A subject that a person wrote, without what turns its direction. */
export function toOneLine(text: string): string {
  return joinLines(text.replaceAll(/\p{Bidi_Control}+/gu, ''))
}

/** A control character or line separator in a header would begin another one. */
export function joinLines(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

/** Callers have checked addresses by the contract; what gets here all the same goes nowhere. @throws RangeError */
export function refuseNoAddress(address: string): void {
  if (!isEmail(address)) throw new RangeError('not an e-mail address')
}
