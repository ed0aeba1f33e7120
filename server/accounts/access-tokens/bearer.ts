/** Who a program calls for: read again for every request, so that a revoked token and a lost right count at once. */
import type { Db } from '#server/db/connect.ts'
import {
  callerOfToken,
  hashAccessToken,
  isWellFormed,
} from '#server/accounts/access-tokens/token.ts'
import { findBearer, writeUse, type BearerRow } from '#server/accounts/access-tokens/store.ts'
import { shutTo, type Demand } from '#server/accounts/factors/demand.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Log } from '#server/kernel/log.ts'

interface BearerNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly config: Demand
}

/** When a token was used last is written once in so long. */
const USE_MS = 60_000

/**
 * Opens the look-up of access tokens. Returns a function that gives null for what is malformed, unknown, revoked or
 * expired, or whose person is erased.
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

/** A use that can't be noted refuses nobody. */
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

/** Without the scope `admin` a token of an administrator is worth what a user's is. */
function toViewer(row: BearerRow, config: Demand): Viewer {
  const shut = shutTo(config, row)
  const hasRole = row.role === 'administrator' && shut === null && row.scopes.includes('admin')
  return {
    id: row.id,
    username: row.username,
    role: hasRole ? 'administrator' : 'user',
    // Who made it confirmed that it was them; a program can't.
    held: null,
    shut,
    suspended: row.suspended_at !== null,
    sessionId: callerOfToken(row.token_id),
    // Programs write and read in turns, and no session of theirs is marked: they read from the primary.
    wroteLately: true,
    scopes: row.scopes,
  }
}
