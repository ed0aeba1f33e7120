/**
 * Sends each person a daily mail at seven in the morning with their unread notices, or none if there are none. If
 * the previous mail is still queued because the mail server is down, the new one replaces it.
 */
import { sql } from 'kysely'
import { message } from '#contract/message.ts'
import { IN_DIGEST } from '#contract/notices.ts'
import { findWillingMailboxes } from '#server/people/accounts/mails/mailbox.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { jobKind, NoPayload } from '#server/platform/jobs/job.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { addNoticeLater, takeBackMail, type Mailbox } from '#server/platform/mail/outbox.ts'
import { endingOf, partOf } from '#server/community/notices/mailing.ts'
import { digestTimeOf } from '#server/community/notices/digest-times.ts'
import { findNotices, isUnread } from '#server/community/notices/store.ts'

/** Runs every minute. */
export const SEND_DIGESTS = jobKind('sendDigests', NoPayload)

/** People per transaction. */
const MOST = 50
/** Lines per mail. The mail states how many more there are. */
const MOST_LINES = 30
/** Delay if the previous mail is being sent at this moment. */
const AGAIN_MS = 3 * 60 * 1000

interface Due {
  readonly userId: string
  readonly lastMail: number | null
  readonly zone: string
}

/** Writes the due mails. Skips rows that another worker has locked, so that each mail is written once. */
export async function sendDigests({
  db,
  clock,
}: {
  readonly db: Db
  readonly clock: Clock
}): Promise<void> {
  for (let written = MOST; written === MOST;)
    written = await db.transaction().execute((tx) => writeSome(tx, clock.now()))
}

async function writeSome(tx: Tx, now: Date): Promise<number> {
  const { rows } = await sql<Due>`
    select user_id as "userId", last_mail as "lastMail", zone from notice_digests
    where next_at <= ${now} order by next_at limit ${sql.lit(MOST)} for update skip locked`.execute(
    tx,
  )
  const mailboxes = await findWillingMailboxes(
    tx,
    rows.map(({ userId }) => userId),
  )
  for (const due of rows)
    await write(tx, due, mailboxes.find(({ userId }) => userId === due.userId) ?? null, now)
  return rows.length
}

async function write(
  tx: Tx,
  { userId, lastMail, zone }: Due,
  to: (Mailbox & { readonly username: string }) | null,
  now: Date,
): Promise<void> {
  const before = lastMail === null ? 'gone' : await takeBackMail(tx, lastMail)
  if (before === 'underWay') return plan(tx, userId, new Date(now.getTime() + AGAIN_MS))
  const ids = await findUntold(tx, userId, before === 'takenBack' ? lastMail : null)
  if (to === null || ids.length === 0) return plan(tx, userId, null)
  const notices = await findNotices(tx, ids)
  const shown = notices.slice(0, MOST_LINES)
  const kinds = [...new Set(notices.map(({ kind }) => kind))]
  const more = notices.length - shown.length
  const mail = await addNoticeLater(
    tx,
    to,
    {
      subject: message('mailDigestSubject'),
      lines: [message('mailDigestHello', { username: to.username.replaceAll('.', '.\u2060') })],
      parts: shown.map((notice) => partOf(notice, to.locale)),
      ...(more > 0 && { after: [message('mailDigestMore', { count: more })] }),
      link: { label: message('mailDigestLink'), path: '/notifications' },
      optional: true,
      endings: kinds.map((kind) => endingOf(kind, to.locale)),
    },
    now,
  )
  await sql`update notices set digest_mail = ${mail} where id = any(${ids}::bigint[])`.execute(tx)
  // The time it was due, so that a late mail doesn't delay the next one.
  const at = digestTimeOf(zone, now)
  await sql`
    update notice_digests set next_at = null, last_at = ${at}, last_mail = ${mail}
    where user_id = ${userId}`.execute(tx)
}

/**
 * Returns unread notices of kinds in the daily mail that were not mailed yet, except in the mail that was
 * withdrawn.
 */
async function findUntold(tx: Tx, userId: string, takenBack: number | null): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select n.id from notices n left join notice_choices c on c.user_id = n.user_id and c.kind = n.kind
    where n.user_id = ${userId} and ${isUnread}
      and (n.digest_mail is null or n.digest_mail = ${takenBack}::bigint)
      and coalesce(c.mail, case when n.kind = any(${[...IN_DIGEST]}::text[]) then 'digest' end) = 'digest'`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

async function plan(tx: Tx, userId: string, nextAt: Date | null): Promise<void> {
  await sql`update notice_digests set next_at = ${nextAt} where user_id = ${userId}`.execute(tx)
}
