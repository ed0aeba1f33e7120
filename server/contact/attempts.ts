/** Attempts to write through us, counted by person or address; the only place that writes their table. */
import type { Db, Tx } from '#server/db/connect.ts'
import { lock, lockName } from '#server/db/locks.ts'
import { jobKind, NoPayload } from '#server/jobs/job.ts'
import type { Clock } from '#server/kernel/clock.ts'

/** Runs every minute. */
export const CLEAR_LETTER_ATTEMPTS = jobKind('clearLetterAttempts', NoPayload)

/** Mails of one person or address an hour; refused ones count. */
export const MOST_AN_HOUR = 5
const HOUR_MS = 60 * 60 * 1000
/** The same words to the same person within it are a double click. */
const TWICE_MS = 60 * 1000

/** Lets the attempts of one subject take turns until the transaction ends; comes before every other lock. */
export async function lockAttempts(tx: Tx, subject: string): Promise<void> {
  await lock(tx, lockName.lettersOf(subject))
}

/** Whether the same was taken a moment ago. */
export async function wasTaken(
  tx: Tx,
  subject: string,
  digest: string,
  now: Date,
): Promise<boolean> {
  const row = await tx
    .selectFrom('letter_attempts')
    .select('at')
    .where('subject', '=', subject)
    .where('digest', '=', digest)
    .where('at', '>', new Date(now.getTime() - TWICE_MS))
    .executeTakeFirst()
  return row !== undefined
}

/** Seconds until the subject may write again; 0: at once. */
export async function secondsToWait(tx: Tx, subject: string, now: Date): Promise<number> {
  const row = await tx
    .selectFrom('letter_attempts')
    .select('at')
    .where('subject', '=', subject)
    .where('at', '>', new Date(now.getTime() - HOUR_MS))
    .orderBy('at', 'desc')
    .offset(MOST_AN_HOUR - 1)
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? 0 : Math.ceil((row.at.getTime() + HOUR_MS - now.getTime()) / 1000)
}

/** `digest` null: it was refused. */
export async function insertAttempt(
  tx: Tx,
  subject: string,
  digest: string | null,
  now: Date,
): Promise<void> {
  await tx.insertInto('letter_attempts').values({ subject, digest, at: now }).execute()
}

/** Forgets what counts no more. */
export async function clearLetterAttempts(db: Db, clock: Clock): Promise<void> {
  const before = new Date(clock.now().getTime() - HOUR_MS)
  await db.deleteFrom('letter_attempts').where('at', '<=', before).execute()
}
