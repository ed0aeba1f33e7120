/** A chore: what time has ended is forgotten. */
import type { Db } from '#server/db/connect.ts'
import { jobKind, NoPayload } from '#server/jobs/job.ts'
import type { Clock } from '#server/kernel/clock.ts'

/** Runs every minute. */
export const CLEAR_SIGN_INS = jobKind('clearSignIns', NoPayload)

/** Nothing counts failures and registrations for longer. */
const FORGET_MS = 60 * 60 * 1000

/** Deletes sessions and mailed links that have expired, and failures that count no more. */
export async function clearSignIns(db: Db, clock: Clock): Promise<void> {
  const now = clock.now()
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  // Used ones stay until then: they count how many were mailed within the hour.
  await db.deleteFrom('account_tokens').where('expires_at', '<=', now).execute()
  await db
    .deleteFrom('login_failures')
    .where('last_at', '<', new Date(now.getTime() - FORGET_MS))
    .execute()
}
