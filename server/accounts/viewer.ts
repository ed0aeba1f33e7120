/** Who is looking: found anew for every request, so that a revoked session and a lost right count at once. */
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { compileOnce } from '#server/db/compiled.ts'
import type { Db } from '#server/db/connect.ts'
import { GRACE_MS } from '#server/accounts/sessions.ts'
import type { Tokens } from '#server/accounts/tokens.ts'

interface ViewerNeeds {
  readonly db: Db
  readonly tokens: Tokens
  readonly clock: Clock
}

/** The person of an access token; null when it is expired or forged, or its session has ended. */
export async function viewerOfBearer(
  { db, tokens, clock }: ViewerNeeds,
  token: string,
): Promise<Viewer | null> {
  const bearer = await tokens.verifyAccess(token)
  if (bearer === null) return null
  const found = await findViewer(db, bearer.sessionId, clock.now())
  return found?.viewer.id === bearer.userId ? found.viewer : null
}

/** The person of a refresh cookie. Reading a page never uses the token up, so that a cached one does no harm. */
export async function viewerOfCookie(
  { db, tokens, clock }: ViewerNeeds,
  cookie: string,
): Promise<Viewer | null> {
  const used = tokens.readRefreshToken(cookie)
  if (used === null) return null
  const now = clock.now()
  const found = await findViewer(db, used.sessionId, now)
  if (found === null) return null
  const isPresent = found.generation === used.generation
  const isPredecessor =
    found.generation === used.generation + 1 && found.rotatedAt.getTime() > now.getTime() - GRACE_MS
  return isPresent || isPredecessor ? found.viewer : null
}

const viewerOfSession = compileOnce(
  ['sessionId', 'now'],
  (db, values: { sessionId: string; now: Date }) =>
    db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select([
        'users.id',
        'users.username',
        'users.role',
        'users.suspended_at',
        'sessions.generation',
        'sessions.rotated_at',
      ])
      .where('sessions.id', '=', values.sessionId)
      .where('sessions.revoked_at', 'is', null)
      .where('sessions.expires_at', '>', values.now)
      .where('users.erased_at', 'is', null)
      .compile(),
)

async function findViewer(db: Db, sessionId: string, now: Date) {
  const [row] = await viewerOfSession(db, { sessionId, now })
  if (row === undefined) return null
  const viewer: Viewer = {
    id: row.id,
    username: row.username,
    role: row.role === 'administrator' ? 'administrator' : 'user',
    suspended: row.suspended_at !== null,
    sessionId,
  }
  return { viewer, generation: row.generation, rotatedAt: row.rotated_at }
}
