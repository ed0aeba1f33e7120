/** A session is one row per sign-in, whose refresh token rotates with each use (a token family). */
import { sql, type RawBuilder } from 'kysely'
import { SESSION_DAYS } from '#contract/limits.ts'
import type { DbOrTx } from '#server/platform/db/connect.ts'
import { describeDevice } from '#server/people/accounts/sessions/device-words.ts'
import type { RefreshUse } from '#server/people/accounts/sessions/tokens.ts'
import { newId } from '#server/kernel/ids.ts'

/** In ms; each renewal extends it. The cookie lasts as long. */
export const SESSION_MS = SESSION_DAYS * 24 * 60 * 60 * 1000
/** A session ends this long after its sign-in, however often it is renewed. */
const LONGEST = sql.lit('365 days')
/** In ms: how long the previous token still works, for two tabs at once or a lost response. */
export const GRACE_MS = 30_000

/** How long a confirmed identity counts; a sign-in also confirms it. */
const CONFIRMED = sql.lit('15 minutes')

/** Log messages of sign-ins, with the person and the method: see docs/security.md, chapter V16. */
export const SIGNED_IN = 'somebody signed in'
export const SIGN_IN_REFUSED = 'a sign-in was refused'

export interface RenewedSession extends RefreshUse {
  readonly userId: string
}

/** A family that ended because one of its old tokens was used again. */
export interface EndedFamily {
  readonly endedOf: string
}

/** The provider of a sign-in, and its id of its own session. */
export interface BegunBy {
  readonly issuer: string
  readonly sid: string | null
}

/**
 * Begins a family at generation 1. `agent` is the User-Agent header, of which two words are stored. `by` names the
 * provider, which may end the session.
 */
export async function createSession(
  db: DbOrTx,
  userId: string,
  agent: string,
  now: Date,
  by: BegunBy | null = null,
): Promise<RefreshUse> {
  const id = newId(now.getTime())
  await db
    .insertInto('sessions')
    .values({
      id,
      user_id: userId,
      rotated_at: now,
      created_at: now,
      expires_at: new Date(now.getTime() + SESSION_MS),
      ...describeDevice(agent),
      provider_issuer: by?.issuer ?? null,
      provider_sid: by?.sid ?? null,
    })
    .execute()
  return { sessionId: id, generation: 1 }
}

/**
 * Uses a refresh token: the current one rotates, its direct predecessor returns the same successor for 30 seconds,
 * and any other is a stolen copy and ends the family. Returns null when the person must sign in again.
 *
 * One statement, so that concurrent uses see what the first one did. A session from before devices were recorded
 * gets its device from `agent`.
 */
export async function rotateSession(
  db: DbOrTx,
  used: RefreshUse,
  agent: string,
  now: Date,
): Promise<RenewedSession | EndedFamily | null> {
  const { browser, system } = describeDevice(agent)
  const present = sql<boolean>`generation = ${used.generation}`
  const predecessor = sql<boolean>`generation = ${used.generation} + 1 and rotated_at > ${new Date(now.getTime() - GRACE_MS)}`
  const row = await db
    .updateTable('sessions')
    .set({
      generation: sql`case when ${present} then generation + 1 else generation end`,
      rotated_at: sql`case when ${present} then ${now}::timestamptz else rotated_at end`,
      expires_at: sql`case when ${present} then least(${new Date(now.getTime() + SESSION_MS)}::timestamptz, created_at + interval ${LONGEST}) else expires_at end`,
      browser: sql`coalesce(browser, ${browser})`,
      system: sql`coalesce(system, ${system})`,
      revoked_at: sql`case when ${present} or (${predecessor}) then null else ${now}::timestamptz end`,
    })
    .where('id', '=', used.sessionId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['user_id', 'generation', 'revoked_at'])
    .executeTakeFirst()
  if (row === undefined) return null
  if (row.revoked_at !== null) return { endedOf: row.user_id }
  return { sessionId: used.sessionId, generation: row.generation, userId: row.user_id }
}

/** Records that the person has just confirmed their identity in this session. */
export async function confirmSession(db: DbOrTx, sessionId: string, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ confirmed_at: now }).where('id', '=', sessionId).execute()
}

/**
 * A part of statements on `sessions`: true when the sign-in, or the last confirmation since, is older than 15
 * minutes.
 */
export const isConfirmationOld = (now: Date) =>
  sql<boolean>`coalesce(sessions.confirmed_at, sessions.created_at) <= ${now}::timestamptz - interval ${CONFIRMED}`

/** Returns the id of the person, or null when the session has ended already. */
export async function revokeSession(
  db: DbOrTx,
  sessionId: string,
  now: Date,
): Promise<string | null> {
  const row = await db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return row?.user_id ?? null
}

/**
 * Returns those of these sessions that haven't ended and whose people are neither suspended nor erased and satisfy
 * `open`, in one query.
 */
export async function findLiveSessions(
  db: DbOrTx,
  ids: readonly string[],
  { now, open = sql`true` }: { readonly now: Date; readonly open?: RawBuilder<boolean> },
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('sessions.id')
    .where(sql<boolean>`sessions.id = any(${ids}::uuid[])`)
    .where('sessions.revoked_at', 'is', null)
    .where('sessions.expires_at', '>', now)
    .where('users.suspended_at', 'is', null)
    .where('users.erased_at', 'is', null)
    .where(open)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Null ends all sessions. */
export async function revokeOtherSessions(
  db: DbOrTx,
  userId: string,
  exceptSessionId: string | null,
  now: Date,
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where(sql<boolean>`id is distinct from ${exceptSessionId}::uuid`)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Returns how many sessions there were. */
export async function revokeAllSessions(db: DbOrTx, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update sessions set revoked_at = ${now} where revoked_at is null and expires_at > ${now}`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/** A session of the provider, or all of a person; at least one of `subject` and `sid` isn't null. */
export interface ProviderEnd {
  readonly issuer: string
  readonly subject: string | null
  readonly sid: string | null
  /** Sessions that began later continue, so a repeated message doesn't end new ones. */
  readonly at: Date
}

/** Ends the sessions here that belong to an ended session of the provider. Returns those that were still valid. */
export async function revokeProviderSessions(
  db: DbOrTx,
  { issuer, subject, sid, at }: ProviderEnd,
  now: Date,
): Promise<{ userId: string; sessionId: string }[]> {
  const ended = db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('provider_issuer', '=', issuer)
    .where('created_at', '<=', at)
    .where('revoked_at', 'is', null)
    .$if(sid !== null, (sessions) => sessions.where('provider_sid', '=', sid))
    .$if(subject !== null, (sessions) =>
      sessions.where('user_id', '=', (each) =>
        each
          .selectFrom('identities')
          .select('identities.user_id')
          .where('identities.issuer', '=', issuer)
          .where('identities.subject', '=', subject ?? ''),
      ),
    )
    .returning(['user_id', 'id'])
  const rows = await ended.execute()
  return rows.map((row) => ({ userId: row.user_id, sessionId: row.id }))
}
