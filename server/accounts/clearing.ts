/** A chore: what time has ended is forgotten. */
import { sql } from 'kysely'
import { clearFlows } from '#server/accounts/oidc/store.ts'
import { clearChallenges } from '#server/accounts/passkeys/store.ts'
import type { Db } from '#server/db/connect.ts'
import { jobKind, NoPayload } from '#server/jobs/job.ts'
import type { Clock } from '#server/kernel/clock.ts'

/** Runs every minute. */
export const CLEAR_SIGN_INS = jobKind('clearSignIns', NoPayload)

/** Nothing counts failures and registrations for longer. */
const FORGET_MS = 60 * 60 * 1000

/** Given-up names that are freed at a time; the others have their turn a minute later. */
const MOST_FREED = 1000

/** Tokens for programs are listed so long after their end, so that their owner sees why a program was turned away. */
const TOKENS_KNOWN_MS = 90 * 24 * 60 * 60 * 1000

/**
 * Deletes sessions, mailed links and challenges of passkeys and sign-ins by providers that have expired, failures that
 * count no more, tokens for programs that ended long ago, and given-up names that are no longer reserved.
 */
export async function clearSignIns(db: Db, clock: Clock): Promise<void> {
  const now = clock.now()
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  await clearChallenges(db, now)
  await clearFlows(db, now)
  // Used ones stay until then: they count how many were mailed within the hour.
  await db.deleteFrom('account_tokens').where('expires_at', '<=', now).execute()
  await db
    .deleteFrom('login_failures')
    .where('last_at', '<', new Date(now.getTime() - FORGET_MS))
    .execute()
  await db
    .deleteFrom('access_tokens')
    .where('expires_at', '<', new Date(now.getTime() - TOKENS_KNOWN_MS))
    .execute()
  // Nobody is found by such a name any more, and anybody may take it: it only says what somebody was once called.
  await sql`
    delete from former_usernames where username_skeleton in (
      select username_skeleton from former_usernames where free_at <= ${now}
      order by free_at limit ${sql.lit(MOST_FREED)}
    ) and free_at <= ${now}`.execute(db)
}
