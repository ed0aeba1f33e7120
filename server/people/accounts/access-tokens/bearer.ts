/**
 * Reads the owner of an access token for every request, so that a revoked token or a lost right counts at once.
 */
import type { Db } from '#server/platform/db/connect.ts'
import {
  callerOfToken,
  hashAccessToken,
  isWellFormed,
} from '#server/people/accounts/access-tokens/token.ts'
import {
  findBearer,
  writeUse,
  type BearerRow,
} from '#server/people/accounts/access-tokens/store.ts'
import { restrictionOf, type FactorSettings } from '#server/people/accounts/factors/demand.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Log } from '#server/kernel/log.ts'

interface BearerNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly config: FactorSettings
}

/** In ms; the last use of a token is written at most this often. */
const USE_MS = 60_000

/**
 * Returns a function that gives null for a token that is malformed, unknown, revoked or expired, or whose owner is
 * erased.
 */
export function openBearers(needs: BearerNeeds): (token: string) => Promise<Viewer | null> {
  const { db, clock, config } = needs
  return async (token) => {
    if (!isWellFormed(token)) return null
    const row = await findBearer(db, hashAccessToken(token), clock.now())
    if (row === null) return null
    await noteUse(needs, row)
    return toViewer(row, config)
  }
}

/** A request succeeds even if the use can't be recorded. */
async function noteUse(
  { db, clock, log }: BearerNeeds,
  { token_id: id, last_used_at: at }: BearerRow,
): Promise<void> {
  const now = clock.now()
  const before = new Date(now.getTime() - USE_MS)
  if (at !== null && at >= before) return
  await writeUse(db, id, { now, before }).catch((error: unknown) => {
    log.warn({ err: error }, 'the last use of an access token could not be written')
  })
}

/** Without the scope `admin`, the token of an administrator has the rights of a user. */
function toViewer(row: BearerRow, config: FactorSettings): Viewer {
  const restriction = restrictionOf(config, row)
  const hasRole =
    row.role === 'administrator' && restriction === null && row.scopes.includes('admin')
  return {
    id: row.id,
    username: row.username,
    role: hasRole ? 'administrator' : 'user',
    // The owner confirmed their identity when creating the token; a program can't.
    held: null,
    shut: restriction,
    suspended: row.suspended_at !== null,
    sessionId: callerOfToken(row.token_id),
    // Programs write and read in turns, and no session of theirs is marked, so they read from the primary.
    wroteLately: true,
    scopes: row.scopes,
  }
}
