/** Ends what a restored database lets in. A backup doesn't know what has ended since it was made, so that works again. */
import { deleteAllTokens } from '#server/accounts/access-tokens/store.ts'
import { revokeResetLinks } from '#server/accounts/mails/links.ts'
import { revokeAllSessions } from '#server/accounts/sessions/sessions.ts'
import { connect } from '#server/db/connect.ts'
import type { Log } from '#server/kernel/log.ts'
import type { ClientConfig } from 'pg'

interface SignedOut {
  readonly sessions: number
  readonly tokens: number
}

/** Ends all sessions, access tokens and mailed links that set a password. Answers how many of the first two there were. */
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
