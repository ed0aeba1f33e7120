/** Who a program calls for: read again for every request, so that a revoked token and a lost right count at once. */
import type { Db } from '#server/db/connect.ts'
import {
  callerOfToken,
  hashAccessToken,
  isWellFormed,
} from '#server/accounts/access-tokens/token.ts'
import { findBearers, writeUse, type BearerRow } from '#server/accounts/access-tokens/store.ts'
import { shutTo, type Demand } from '#server/accounts/factors/demand.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Log } from '#server/kernel/log.ts'
import { createBatches } from '#server/kernel/queues/batches.ts'

interface BearerNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly config: Demand
}

/** Tokens of a statement, and how long a late one keeps the next from being sent: as for sessions. */
const BATCH = { most: 100, patienceMs: 50 }
/** When a token was used last is written once in so long. */
const USE_MS = 60_000

/**
 * Opens the look-up of access tokens: one statement along an index, which those that come at the same time share.
 * Answers a function that gives null for what is malformed, unknown, revoked or expired, or whose person is erased.
 */
export function openBearers(needs: BearerNeeds): (token: string) => Promise<Viewer | null> {
  const { db, clock, config } = needs
  const find = createBatches<string, BearerRow | null>({
    ...BATCH,
    work: async (hashes) => {
      const rows = await findBearers(db, { hashes: JSON.stringify(hashes), now: clock.now() })
      await noteUse(needs, rows)
      const byHash = new Map(rows.map((row) => [row.hash, row]))
      return hashes.map((hash) => byHash.get(hash) ?? null)
    },
  })
  return async (token) => {
    if (!isWellFormed(token)) return null
    const row = await find(hashAccessToken(token).toString('hex'))
    return row === null ? null : toViewer(row, config)
  }
}

/** A use that can't be noted refuses nobody. */
async function noteUse({ db, clock, log }: BearerNeeds, rows: readonly BearerRow[]): Promise<void> {
  const now = clock.now()
  const before = new Date(now.getTime() - USE_MS)
  const due = rows.filter(({ last_used_at: at }) => at === null || at < before)
  if (due.length === 0) return
  const ids = due.map((row) => row.token_id)
  await writeUse(db, ids, { now, before }).catch((error: unknown) => {
    log.warn({ err: error }, 'the last use of access tokens could not be written')
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
