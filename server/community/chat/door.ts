/** Admits to the hub people with a session, and programs with an access token that has the scope `chat`. */
import { findLiveTokens } from '#server/people/accounts/access-tokens/store.ts'
import {
  callerOfToken,
  claimsToBeToken,
  tokenOfCaller,
} from '#server/people/accounts/access-tokens/token.ts'
import { hasFullAccess, type FactorSettings } from '#server/people/accounts/factors/demand.ts'
import { findLiveSessions } from '#server/people/accounts/sessions/sessions.ts'
import type { DbOrTx } from '#server/platform/db/connect.ts'
import { refuseFactorless, refuseScope, type Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { Refusal } from '#server/kernel/errors.ts'
import { toRefusal } from '#server/kernel/http/http-errors.ts'
import { chooseLocale, translate } from '#server/kernel/text/messages.ts'
import type { Authenticate } from '#signalr'

/** With `late`, an expired token is accepted if its session is valid. */
export type ViewerOfBearer = (token: string, late: boolean) => Promise<Viewer | null>

/** An unavailable database isn't the caller's fault. */
function awayOrThrow(error: unknown): 'away' {
  if (toRefusal(error)?.status === 503) return 'away'
  throw error
}

/** Authenticates each request of the hub. Programs get the reason of a refusal as text. */
export function createHubDoor(viewerOfBearer: ViewerOfBearer): Authenticate {
  return async (request, token, goesOn) => {
    if (token === null) return 'refused'
    const viewer = await viewerOfBearer(token, goesOn).catch(awayOrThrow)
    if (viewer === 'away') return 'away'
    const isProgram = claimsToBeToken(token)
    try {
      if (viewer === null && isProgram) throw new Refusal(401, 'tokenEnded')
      if (viewer === null) return 'refused'
      refuseScope(viewer, 'chat')
      refuseFactorless(viewer)
      if (viewer.suspended) return 'forbidden'
      return { id: viewer.id, session: viewer.sessionId, lasting: isProgram }
    } catch (error) {
      const refusal = toRefusal(error)
      if (refusal?.status !== 401 && refusal?.status !== 403) throw error
      const locale = chooseLocale(null, undefined, request.headers['accept-language'])
      const text = translate(locale, refusal.key, refusal.values)
      return { status: refusal.status, text }
    }
  }
}

interface LiveNeeds {
  readonly db: DbOrTx
  readonly clock: Clock
  readonly config: FactorSettings
}

/**
 * Returns those of the connected callers whose sessions or access tokens are still valid, with one query for each
 * kind.
 */
export async function findLiveCallers(
  { db, clock, config }: LiveNeeds,
  callers: readonly string[],
): Promise<ReadonlySet<string>> {
  const now = clock.now()
  const open = hasFullAccess(config)
  const tokens = callers.flatMap((caller) => tokenOfCaller(caller) ?? [])
  const sessions = callers.filter((caller) => tokenOfCaller(caller) === null)
  const [liveSessions, liveTokens] = await Promise.all([
    sessions.length === 0 ? new Set<string>() : findLiveSessions(db, sessions, { now, open }),
    tokens.length === 0 ? new Set<number>() : findLiveTokens(db, tokens, { now, open }),
  ])
  return new Set([...liveSessions, ...[...liveTokens].map(callerOfToken)])
}
