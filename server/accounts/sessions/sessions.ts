/** Sessions: one row a sign-in, whose refresh token changes with each use (a token family). */
import { sql, type RawBuilder } from 'kysely'
import type { DbOrTx } from '#server/db/connect.ts'
import { describeDevice } from '#server/accounts/sessions/device-words.ts'
import type { RefreshUse } from '#server/accounts/sessions/tokens.ts'
import { newId } from '#server/kernel/ids.ts'

/** Sliding: each renewal extends it. Also the life of the cookie. */
export const SESSION_MS = 30 * 24 * 60 * 60 * 1000
/** However often it is used, a session ends so long after its sign-in. */
const LONGEST = sql.lit('365 days')
/** How long the direct predecessor is still good: for two tabs at once, or an answer that was lost. */
export const GRACE_MS = 30_000

/** How long a confirmation that it is still the same person is good, a sign-in among them. */
const CONFIRMED = sql.lit('15 minutes')

/** What the log says of a sign-in, with its person and by what: see docs/security.md, chapter V16. */
export const SIGNED_IN = 'somebody signed in'
export const SIGN_IN_REFUSED = 'a sign-in was refused'

export interface RenewedSession extends RefreshUse {
  readonly userId: string
}

/** A family that ended because an old token of it was used again. */
export interface EndedFamily {
  readonly endedOf: string
}

/** By which provider somebody came, and what that calls its own session. */
export interface BegunBy {
  readonly issuer: string
  readonly sid: string | null
}

/**
 * Begins a family at generation 1. `agent`: the User-Agent line of the sign-in, of which two words are stored. `by`: for
 * a sign-in by a provider, which may end it.
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
 * Uses a refresh token: the present one moves the family on, its direct predecessor is answered with the same
 * successor for 30 seconds, any other is a stolen copy and ends the family. Null, and after that: sign in again.
 *
 * One statement, so that of several at once the later ones see what the first did. A session that began before devices
 * were noted learns its own from `agent`.
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

/** Notes that the person of a session has just confirmed that it is them. */
export async function confirmSession(db: DbOrTx, sessionId: string, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ confirmed_at: now }).where('id', '=', sessionId).execute()
}

/**
 * Part of a statement on `sessions`: whether the sign-in, or what confirmed it since, is older than 15 minutes. The time
 * is computed by the database, because the statement is compiled once for all times.
 */
export const isConfirmationOld = (now: Date) =>
  sql<boolean>`coalesce(sessions.confirmed_at, sessions.created_at) <= ${now}::timestamptz - interval ${CONFIRMED}`

/** Ends one session and answers whose it was; ending it again changes nothing, and answers null. */
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

/** Of these sessions those that have not ended, of people who are neither suspended nor erased, and `open`; in one question. */
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

/** Ends all sessions of a person but one; null ends all. */
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

/** Ends the sessions of everybody. Answers how many there were. */
export async function revokeAllSessions(db: DbOrTx, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update sessions set revoked_at = ${now} where revoked_at is null and expires_at > ${now}`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/** What a provider says has ended: a session of its own, or all of a person; one of both is not null. */
export interface ProviderEnd {
  readonly issuer: string
  readonly subject: string | null
  readonly sid: string | null
  /** Sessions that began later are left alone, so a message that comes again ends nothing new. */
  readonly at: Date
}

/** Ends the sessions that a provider began and has ended. Answers those that lived until now, and whose they were. */
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
