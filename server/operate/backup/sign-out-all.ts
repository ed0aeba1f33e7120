/**
 * A backup doesn't contain what was revoked since it was made, so after a restore that works again; this revokes
 * everything.
 */
import { deleteAllTokens } from '#server/people/accounts/access-tokens/store.ts'
import { revokeResetLinks } from '#server/people/accounts/mails/links.ts'
import { revokeAllSessions } from '#server/people/accounts/sessions/sessions.ts'
import { connect } from '#server/platform/db/connect.ts'
import type { Log } from '#server/kernel/log.ts'
import type { ClientConfig } from 'pg'

interface SignedOut {
  readonly sessions: number
  readonly tokens: number
}

/** Ends all sessions, access tokens and reset links. Returns the numbers of sessions and tokens. */
export async function signOutAll(connection: ClientConfig, log: Log): Promise<SignedOut> {
  const database = connect(connection, log, { work: 'audit', size: 1 })
  try {
    return await database.db.transaction().execute(async (tx) => {
      const now = new Date()
      await revokeResetLinks(tx, now)
      return { sessions: await revokeAllSessions(tx, now), tokens: await deleteAllTokens(tx) }
    })
  } finally {
    await database.close()
  }
}
