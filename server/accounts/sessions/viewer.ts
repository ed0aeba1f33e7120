/** Who is looking: read again for every request, so that a revoked session and a lost right count at once. */
import { sql } from 'kysely'
import type { Session } from '#contract/accounts.schemas.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { compileOnce } from '#server/db/compiled.ts'
import type { Db } from '#server/db/connect.ts'
import { personImage } from '#server/accounts/answer.ts'
import { GRACE_MS } from '#server/accounts/sessions/sessions.ts'
import type { RefreshUse, Tokens } from '#server/accounts/sessions/tokens.ts'

interface ViewerNeeds {
  readonly db: Db
  readonly tokens: Tokens
  readonly clock: Clock
}

/**
 * The person of an access token; null when it is expired or forged, or its session has ended. `late`: for what goes
 * on since the token was good, which its expiry alone does not end.
 */
export async function viewerOfBearer(
  { db, tokens, clock }: ViewerNeeds,
  token: string,
  late = false,
): Promise<Viewer | null> {
  const bearer = await tokens.verifyAccess(token, late)
  if (bearer === null) return null
  const found = await findViewer(db, bearer.sessionId, clock.now())
  return found?.viewer.id === bearer.userId ? found.viewer : null
}

/** The person of a refresh cookie. Reading a page never uses the token up, so that a cached one does no harm. */
export async function viewerOfCookie(needs: ViewerNeeds, cookie: string): Promise<Viewer | null> {
  const used = needs.tokens.readRefreshToken(cookie)
  if (used === null) return null
  const now = needs.clock.now()
  const found = await findViewer(needs.db, used.sessionId, now)
  return found !== null && isGood(used, found, now) ? found.viewer : null
}

/** Who asks for a page: the viewer, and what every page shows of them. */
export interface Visitor {
  readonly viewer: Viewer
  readonly person: Omit<Session, 'accessToken'>
}

/** The same with what pages show of the person, in one statement. */
export async function visitorOfCookie(
  { db, tokens, clock }: ViewerNeeds,
  cookie: string,
): Promise<Visitor | null> {
  const used = tokens.readRefreshToken(cookie)
  if (used === null) return null
  const now = clock.now()
  const [row] = await visitorOfSession(db, { sessionId: used.sessionId, now })
  if (row === undefined || !isGood(used, familyOf(row), now)) return null
  const viewer = toViewer(row, used.sessionId)
  const { id, username, role } = viewer
  const imageUrl = personImage(id, row.picture_key)
  const face = { _id: id, username, email: row.email, kbPoints: row.kb_points, role, imageUrl }
  return { viewer, person: viewer.suspended ? { ...face, suspended: true } : face }
}

interface Family {
  readonly generation: number
  readonly rotatedAt: Date
}

/** The present token of its family, or its direct predecessor within the grace. */
function isGood(used: RefreshUse, { generation, rotatedAt }: Family, now: Date): boolean {
  if (generation === used.generation) return true
  return generation === used.generation + 1 && rotatedAt.getTime() > now.getTime() - GRACE_MS
}

type SessionValues = Readonly<{ sessionId: string; now: Date }>

function sessionOf(db: Db, values: SessionValues) {
  return db
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
}

const viewerOfSession = compileOnce(['sessionId', 'now'], (db, values: SessionValues) =>
  sessionOf(db, values).compile(),
)

const visitorOfSession = compileOnce(['sessionId', 'now'], (db, values: SessionValues) =>
  sessionOf(db, values)
    .leftJoin('pictures', 'pictures.id', 'users.picture_id')
    .leftJoin('point_balances', 'point_balances.user_id', 'users.id')
    .select([
      'users.email',
      'pictures.key as picture_key',
      sql<number>`greatest(coalesce(point_balances.net, 0), 0)`.as('kb_points'),
    ])
    .compile(),
)

interface ViewerRow {
  readonly id: string
  readonly username: string
  readonly role: string
  readonly suspended_at: Date | null
  readonly generation: number
  readonly rotated_at: Date
}

function toViewer(row: ViewerRow, sessionId: string): Viewer {
  return {
    id: row.id,
    username: row.username,
    role: row.role === 'administrator' ? 'administrator' : 'user',
    suspended: row.suspended_at !== null,
    sessionId,
  }
}

const familyOf = (row: ViewerRow): Family => ({
  generation: row.generation,
  rotatedAt: row.rotated_at,
})

async function findViewer(db: Db, sessionId: string, now: Date) {
  const [row] = await viewerOfSession(db, { sessionId, now })
  return row === undefined ? null : { viewer: toViewer(row, sessionId), ...familyOf(row) }
}
