import { sql } from 'kysely'
import { clearInvitations } from '#server/people/accounts/door/store.ts'
import { clearFlows } from '#server/people/accounts/oidc/store.ts'
import { clearChallenges } from '#server/people/accounts/passkeys/store.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { jobKind, NoPayload } from '#server/platform/jobs/job.ts'
import type { Clock } from '#server/kernel/clock.ts'

export const CLEAR_SIGN_INS = jobKind('clearSignIns', NoPayload)

/** In ms; no limit counts failures and registrations for longer. */
const FORGET_MS = 60 * 60 * 1000

/** Former names released in one run; the rest follows a minute later. */
const MOST_FREED = 1000

/** Expired access tokens stay listed this long, in ms, so that their owner sees why a program was refused. */
const TOKENS_KNOWN_MS = 90 * 24 * 60 * 60 * 1000

/**
 * Deletes expired sessions, mailed links, passkey challenges and provider sign-ins, failures that no longer count,
 * access tokens and invitations that ended long ago, and former names that are no longer reserved.
 */
export async function clearSignIns(db: Db, clock: Clock): Promise<void> {
  const now = clock.now()
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  await clearChallenges(db, now)
  await clearFlows(db, now)
  // Used ones stay until they expire, because they count towards the mails of the last hour.
  await db.deleteFrom('account_tokens').where('expires_at', '<=', now).execute()
  await db
    .deleteFrom('login_failures')
    .where('last_at', '<', new Date(now.getTime() - FORGET_MS))
    .execute()
  await db
    .deleteFrom('access_tokens')
    .where('expires_at', '<', new Date(now.getTime() - TOKENS_KNOWN_MS))
    .execute()
  await clearInvitations(db, now)
  // Such a name no longer leads to anybody and is free for all; the row would only reveal a former name.
  await sql`
    delete from former_usernames where username_skeleton in (
      select username_skeleton from former_usernames where free_at <= ${now}
      order by free_at limit ${sql.lit(MOST_FREED)}
    ) and free_at <= ${now}`.execute(db)
}
