/** The only module that writes the table of sending attempts, which counts them by person or address. */
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { lock, lockName } from '#server/platform/db/locks.ts'
import { jobKind, NoPayload } from '#server/platform/jobs/job.ts'
import type { Clock } from '#server/kernel/clock.ts'

/** Runs every minute. */
export const CLEAR_LETTER_ATTEMPTS = jobKind('clearLetterAttempts', NoPayload)

/** Mails per person or address and hour. Refused ones count. */
export const MOST_AN_HOUR = 5
const HOUR_MS = 60 * 60 * 1000
/** The same text to the same person within this time is treated as a double click. */
const TWICE_MS = 60 * 1000

/** Serialises the attempts of one subject until the transaction ends. Takes this lock before all others. */
export async function lockAttempts(tx: Tx, subject: string): Promise<void> {
  await lock(tx, lockName.lettersOf(subject))
}

/** Returns true if the same letter was accepted recently. */
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

/** Returns the seconds until the subject may write again, or 0. */
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

/** A null `digest` marks a refused attempt. */
export async function insertAttempt(
  tx: Tx,
  subject: string,
  digest: string | null,
  now: Date,
): Promise<void> {
  await tx.insertInto('letter_attempts').values({ subject, digest, at: now }).execute()
}

/** Deletes attempts that no longer count. */
export async function clearLetterAttempts(db: Db, clock: Clock): Promise<void> {
  const before = new Date(clock.now().getTime() - HOUR_MS)
  await db.deleteFrom('letter_attempts').where('at', '<=', before).execute()
}
