/** Reads the viewer for every request, so that a revoked session or a lost right counts at once. */
import { sql, type RawBuilder } from 'kysely'
import type { Session } from '#contract/accounts.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { restrictionOf, type FactorSettings } from '#server/people/accounts/factors/demand.ts'
import { personImage } from '#server/people/accounts/answer.ts'
import { GRACE_MS, isConfirmationOld } from '#server/people/accounts/sessions/sessions.ts'
import { wroteLately } from '#server/people/accounts/sessions/write-marks.ts'
import type { RefreshUse, Tokens } from '#server/people/accounts/sessions/tokens.ts'

interface ViewerNeeds {
  readonly tokens: Tokens
  readonly clock: Clock
  readonly sessions: Sessions
  readonly config: FactorSettings
}

interface Sessions {
  /** Returns null when the session has ended. */
  readonly viewer: (sessionId: string) => Promise<ViewerRow | null>
  /** Also reads what pages show about the person. */
  readonly visitor: (sessionId: string) => Promise<VisitorRow | null>
}

/** Each lookup is one statement on the primary keys. */
export function openSessions({ db, clock }: { readonly db: Db; readonly clock: Clock }): Sessions {
  return {
    viewer: async (sessionId) => {
      const { rows } = await sessionOf<ViewerRow>(sessionId, clock.now()).execute(db)
      return rows[0] ?? null
    },
    visitor: async (sessionId) => {
      const { rows } = await sessionOf<VisitorRow>(
        sessionId,
        clock.now(),
        sql`, users.email, pictures.key as picture_key, greatest(coalesce(point_balances.net, 0), 0) as kb_points`,
        sql`left join pictures on pictures.id = users.picture_id
          left join point_balances on point_balances.user_id = users.id`,
      ).execute(db)
      return rows[0] ?? null
    },
  }
}

/**
 * Returns the viewer of an access token, or null when it is expired or forged or its session has ended. `late`
 * accepts an expired token, for connections that began while it was valid.
 */
export async function viewerOfBearer(
  { tokens, sessions, config }: ViewerNeeds,
  token: string,
  late = false,
): Promise<Viewer | null> {
  const bearer = await tokens.verifyAccess(token, late)
  if (bearer === null) return null
  const row = await sessions.viewer(bearer.sessionId)
  return row?.id === bearer.userId ? toViewer(row, bearer.sessionId, config) : null
}

/**
 * Returns the viewer of a refresh cookie. Reading a page never uses up the token, so a cached token does no harm.
 */
export async function viewerOfCookie(needs: ViewerNeeds, cookie: string): Promise<Viewer | null> {
  const used = needs.tokens.readRefreshToken(cookie)
  if (used === null) return null
  const row = await needs.sessions.viewer(used.sessionId)
  return row !== null && isGood(used, familyOf(row), needs.clock.now())
    ? toViewer(row, used.sessionId, needs.config)
    : null
}

export interface Visitor {
  readonly viewer: Viewer
  readonly person: Omit<Session, 'accessToken'>
}

/** Also reads what pages show about the person, in the same statement. */
export async function visitorOfCookie(
  { tokens, clock, sessions, config }: ViewerNeeds,
  cookie: string,
): Promise<Visitor | null> {
  const used = tokens.readRefreshToken(cookie)
  if (used === null) return null
  const row = await sessions.visitor(used.sessionId)
  if (row === null || !isGood(used, familyOf(row), clock.now())) return null
  const viewer = toViewer(row, used.sessionId, config)
  const { id, username } = viewer
  // Shows the real role even while the person lacks a second factor: pages lead them to the setup.
  const role = row.role === 'administrator' ? ('administrator' as const) : ('user' as const)
  const imageUrl = personImage(id, row.picture_key)
  const face = { _id: id, username, email: row.email, kbPoints: row.kb_points, role, imageUrl }
  const person = {
    ...face,
    ...(viewer.suspended && { suspended: true }),
    ...(viewer.shut === 'all' && { factorless: true }),
  }
  return { viewer, person }
}

interface Family {
  readonly generation: number
  readonly rotatedAt: Date
}

/** Accepts the current token of its family, or its direct predecessor within the grace period. */
function isGood(used: RefreshUse, { generation, rotatedAt }: Family, now: Date): boolean {
  if (generation === used.generation) return true
  return generation === used.generation + 1 && rotatedAt.getTime() > now.getTime() - GRACE_MS
}

/** `more` and `joins` add what pages show about the person. */
function sessionOf<Row>(
  sessionId: string,
  now: Date,
  more: RawBuilder<unknown> = sql``,
  joins: RawBuilder<unknown> = sql``,
): RawBuilder<Row> {
  return sql<Row>`
    select users.id, users.username, users.role, users.suspended_at,
      sessions.generation, sessions.rotated_at, ${wroteLately} as wrote_lately,
      users.second_factor_at, users.password_hash = '' as is_passwordless,
      ${isConfirmationOld(now)} as is_confirmation_old ${more}
    from sessions join users on users.id = sessions.user_id ${joins}
    where sessions.id = ${sessionId} and sessions.revoked_at is null and sessions.expires_at > ${now}
      and users.erased_at is null`
}

interface ViewerRow {
  readonly id: string
  readonly username: string
  readonly role: string
  readonly suspended_at: Date | null
  readonly generation: number
  readonly rotated_at: Date
  readonly wrote_lately: boolean
  readonly second_factor_at: Date | null
  readonly is_passwordless: boolean
  readonly is_confirmation_old: boolean
}

interface VisitorRow extends ViewerRow {
  readonly email: string
  readonly picture_key: string | null
  readonly kb_points: number
}

function toViewer(row: ViewerRow, sessionId: string, config: FactorSettings): Viewer {
  const restriction = restrictionOf(config, row)
  return {
    id: row.id,
    username: row.username,
    role: row.role === 'administrator' && restriction === null ? 'administrator' : 'user',
    held: holdOf(row),
    shut: restriction,
    suspended: row.suspended_at !== null,
    sessionId,
    wroteLately: row.wrote_lately,
  }
}

function holdOf(row: ViewerRow): 'unconfirmed' | null {
  // People without a password must confirm like those with a second factor, because there is no password to ask
  // for.
  const asks = row.second_factor_at !== null || row.is_passwordless
  return asks && row.is_confirmation_old ? 'unconfirmed' : null
}

const familyOf = (row: ViewerRow): Family => ({
  generation: row.generation,
  rotatedAt: row.rotated_at,
})
