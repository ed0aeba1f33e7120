/** The SQL of sending mails and of deleting old ones. */
import { sql } from 'kysely'
import { MAIL_RECORD_DAYS } from '#contract/limits.ts'
import type { DbOrTx } from '#server/platform/db/connect.ts'
import { jobKind, NoPayload } from '#server/platform/jobs/job.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { StoredMail } from '#server/platform/mail/compose.ts'

/** Longer than any conversation with the mail server, so an expired claim belongs to a dead worker. */
const CLAIM = sql`interval '2 minutes'`

/** A waiting mail, with what may have changed since it was written. */
export interface WaitingMail extends StoredMail {
  /** Null for an address that belongs to no account. */
  readonly notices: boolean | null
  readonly erased: boolean
  /** Ids of unread parts; null for a mail without parts. */
  readonly unread: readonly number[] | null
  /** The recipient blocked its sender, or the sender was suspended or erased. */
  readonly silenced: boolean
}

/** Returns null when the mail no longer waits. */
export async function findWaitingMail(db: DbOrTx, id: number): Promise<WaitingMail | null> {
  const { rows } = await sql<WaitingMail>`
    select m.message_id, m.user_id, m.address, m.reply_to, m.subject, m.text, m.notice, m.locale, m.created_at,
      u.notices, u.erased_at is not null as erased,
      m.kind = 'letter' and (s.suspended_at is not null or s.erased_at is not null or exists (
        select from person_blocks b where b.user_id = m.user_id and b.blocked_id = m.sender_id
      )) as silenced,
      case when m.notice ? 'parts' then array(
        select n.id from jsonb_to_recordset(m.notice -> 'parts') part (id bigint)
        cross join lateral (
          select each.id from notices each where each.id = part.id and each.read_at is null limit 1
        ) n
      ) end as unread
    from mails m left join users u on u.id = m.user_id left join users s on s.id = m.sender_id
    where m.id = ${id} and m.state = 'waiting'`.execute(db)
  return rows[0] ?? null
}

/**
 * Claims a waiting mail for this worker. Returns since when it has been tried, or null when another worker has it.
 */
export async function claimMail(db: DbOrTx, id: number, now: Date): Promise<Date | null> {
  const { rows } = await sql<{ trying_since: Date | null }>`
    update mails
    set claimed_until = now() + ${CLAIM}, attempts = attempts + 1, trying_since = coalesce(trying_since, ${now})
    where id = ${id} and state = 'waiting' and (claimed_until is null or claimed_until < now())
    returning trying_since`.execute(db)
  return rows[0]?.trying_since ?? null
}

/** Returns when another worker's claim ends, or null when there is none. */
export async function findClaimEnd(db: DbOrTx, id: number): Promise<Date | null> {
  const { rows } = await sql<{ claimed_until: Date | null }>`
    select claimed_until from mails where id = ${id} and state = 'waiting'`.execute(db)
  return rows[0]?.claimed_until ?? null
}

/** Deletes the text of a sent mail. */
export async function markSent(db: DbOrTx, id: number, now: Date): Promise<void> {
  await sql`
    update mails set state = 'sent', sent_at = ${now}, text = null, notice = null, last_error = null,
      claimed_until = null
    where id = ${id} and state = 'waiting'`.execute(db)
}

/** Records a failed attempt; the mail is retried or has failed for good. */
export async function markUnsent(
  db: DbOrTx,
  id: number,
  { failed, reason }: { failed: boolean; reason: string },
): Promise<void> {
  await sql`
    update mails set state = ${failed ? 'failed' : 'waiting'}, last_error = ${reason}, claimed_until = null
    where id = ${id} and state = 'waiting'`.execute(db)
}

/**
 * Ends a mail that isn't sent: one to an address that is never mailed keeps its text; one that nobody wants loses
 * it.
 */
export async function setAside(db: DbOrTx, id: number, state: 'kept' | 'dropped'): Promise<void> {
  await sql`
    update mails set state = ${state}, text = case when ${state} = 'kept' then text end,
      notice = case when ${state} = 'kept' then notice end
    where id = ${id} and state = 'waiting'`.execute(db)
}

/**
 * Finds waiting mails without a job: it ended without SMTP_URL, an administrator removed it, or its worker died.
 * Returns at most `most`, oldest first.
 */
export async function findJobless(
  db: DbOrTx,
  now: Date,
  most: number,
): Promise<{ id: number; sendAfter: Date }[]> {
  const { rows } = await sql<{ id: number; sendAfter: Date }>`
    select m.id, m.send_after as "sendAfter" from mails m
    where m.state = 'waiting' and m.send_after <= ${now}
      and (m.claimed_until is null or m.claimed_until < now())
      and not exists (
        select from graphile_worker.jobs j
        where j.key = 'mail ' || m.id and j.attempts < j.max_attempts
          and (j.locked_at is null or j.locked_at > now() - ${CLAIM})
      )
    order by m.send_after
    limit ${most}`.execute(db)
  return rows
}

/** Counts waiting and failed mails, and returns the age of the oldest due one in seconds, for the metrics. */
export async function countMails(
  db: DbOrTx,
  now: Date,
): Promise<{ waiting: number; failed: number; oldest: number }> {
  const { rows } = await sql<{ waiting: number; failed: number; oldest: number }>`
    select (select count(*) from mails where state = 'waiting') as waiting,
      (select count(*) from mails where state = 'failed') as failed,
      (
        select coalesce(greatest(0, extract(epoch from ${now} - min(send_after))), 0)::float8
        from mails where state = 'waiting'
      ) as oldest`.execute(db)
  return rows[0] ?? { waiting: 0, failed: 0, oldest: 0 }
}

const DAY_MS = 24 * 60 * 60 * 1000
/** Rows per run; the rest follows a minute later. */
const MOST_FORGOTTEN = 1000

export const FORGET_MAILS = jobKind('forgetMails', NoPayload)

/** Deletes old rows of sent mails, and old unsendable mails with their texts. */
export async function forgetMails(db: DbOrTx, clock: Clock): Promise<void> {
  const before = new Date(clock.now().getTime() - MAIL_RECORD_DAYS * DAY_MS)
  for (const state of ['sent', 'dropped', 'failed', 'held', 'kept'])
    await sql`
      delete from mails where created_at < ${before} and id in (
        select id from mails where state = ${state} order by id limit ${MOST_FORGOTTEN}
      )`.execute(db)
}
