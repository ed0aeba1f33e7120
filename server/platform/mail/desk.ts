/** The outbox for administrators: listing mails, and retrying or dropping failed ones. */
import { sql } from 'kysely'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import type { MailState, OutboxMail } from '#contract/mail.ts'
import type { Locale } from '#contract/messages/messages.ts'
import type { SiteName } from '#contract/site.ts'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { mentions } from '#server/platform/db/folded-search.ts'
import { waitUntilEnded } from '#server/platform/jobs/under-way.ts'
import { translatePacked } from '#server/kernel/text/messages.ts'
import { queueMail, unqueueMails } from '#server/platform/mail/outbox.ts'

interface Row {
  readonly id: number
  readonly state: MailState
  readonly kind: string
  readonly address: string
  readonly subject: string
  readonly created_at: Date
  readonly attempts: number
  readonly last_error: string | null
  readonly sent_at: Date | null
}

interface DeskQuery {
  readonly state: MailState | undefined
  readonly page: number
  /** A part of the address. */
  readonly search: string
  /** The reader's language, and the site's name in it. */
  readonly locale: Locale
  readonly name: SiteName
}

/**
 * Lists the newest first, 50 a page, without dropped mails; subjects of our notices are in the reader's language.
 */
export async function listMails(
  db: DbOrTx,
  { state, page, search, locale, name }: DeskQuery,
): Promise<OutboxMail[]> {
  const { rows } = await sql<Row>`
    select id, state, kind, address, subject, created_at, attempts, last_error, sent_at from mails
    where ${state === undefined ? sql`state <> 'dropped'` : sql`state = ${state}`}
      and ${search.trim() === '' ? sql`true` : mentions('address', search)}
    order by id desc
    limit ${ROWS_PER_PAGE} offset ${(page - 1) * ROWS_PER_PAGE}`.execute(db)
  return rows.map(({ created_at, last_error, sent_at, ...row }) => ({
    ...row,
    subject: row.kind === 'notice' ? translatePacked(locale, row.subject, name) : row.subject,
    date: created_at.toISOString(),
    lastError: last_error,
    sent: sent_at?.toISOString() ?? null,
  }))
}

/** Counts mails by state, without sent and dropped ones. */
export async function countMails(db: DbOrTx) {
  const { rows } = await sql<{ state: 'held' | 'waiting' | 'kept' | 'failed'; count: number }>`
    select state, count(*)::int as count from mails
    where state in ('held', 'waiting', 'kept', 'failed') group by state`.execute(db)
  const of = (state: string) => rows.find((row) => row.state === state)?.count ?? 0
  return { held: of('held'), waiting: of('waiting'), kept: of('kept'), failed: of('failed') }
}

/** A mail that an administrator retried or dropped, for the log. */
export interface ActedMail {
  readonly id: number
  readonly kind: string
  readonly subject: string
  readonly userId: string | null
}

const ACTED = sql`id, kind, subject, user_id as "userId"`

/** Failed or waiting mails, except those being sent right now. */
const UNSENT = sql`state in ('waiting', 'failed') and (claimed_until is null or claimed_until < now())`

/**
 * Waits at most two seconds until none of these mails is being sent: meanwhile a mail can be neither dropped nor
 * retried, and would be skipped silently.
 */
export function waitForSending(db: Db, ids: readonly number[]): Promise<void> {
  return waitUntilEnded(async () => {
    const { rows } = await sql`
      select from mails
      where id = any(${[...ids]}) and state = 'waiting' and claimed_until > now() limit 1`.execute(
      db,
    )
    return rows.length === 0
  })
}

/**
 * Resends failed and waiting mails with all their attempts, but none before its time; other mails don't change.
 * Returns the affected ones.
 */
export async function retryMails(tx: Tx, ids: readonly number[], now: Date): Promise<ActedMail[]> {
  const { rows } = await sql<ActedMail & { sendAfter: Date }>`
    update mails set state = 'waiting', attempts = 0, trying_since = null, last_error = null, claimed_until = null
    where id = any(${[...ids]}) and ${UNSENT} returning ${ACTED}, greatest(send_after, ${now}) as "sendAfter"`.execute(
    tx,
  )
  for (const { id, sendAfter } of rows) await queueMail(tx, id, sendAfter)
  return rows
}

/**
 * Drops failed and waiting mails: deletes their texts and jobs and keeps the rows for accounting; other mails
 * don't change. Returns the affected ones.
 */
export async function dropMails(tx: Tx, ids: readonly number[]): Promise<ActedMail[]> {
  const { rows } = await sql<ActedMail>`
    update mails set state = 'dropped', text = null, notice = null
    where id = any(${[...ids]}) and ${UNSENT} returning ${ACTED}`.execute(tx)
  await unqueueMails(
    tx,
    rows.map(({ id }) => id),
  )
  return rows
}
