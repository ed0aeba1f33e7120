/** The SQL of identities at providers and of sign-ins by them; only this file writes their two tables. */
import { sql } from 'kysely'
import { foldEmail } from '#server/people/accounts/claims.ts'
import type { ProviderEnd } from '#server/people/accounts/sessions/sessions.ts'
import type { Claims } from '#server/people/accounts/oidc/providers.ts'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'

export interface NewFlow {
  readonly id: Buffer
  readonly issuer: string
  /** The account to which another identity is added; null for a sign-in. */
  readonly holder: { readonly userId: string; readonly sessionId: string } | null
  readonly nonce: string
  readonly verifier: string
  readonly next: string
  /** The hash of the newcomer's invitation. */
  readonly invitation: Buffer | null
  readonly expiresAt: Date
}

export async function insertFlow(db: DbOrTx, flow: NewFlow): Promise<void> {
  await db
    .insertInto('oidc_flows')
    .values({
      id: flow.id,
      issuer: flow.issuer,
      user_id: flow.holder?.userId ?? null,
      session_id: flow.holder?.sessionId ?? null,
      nonce: flow.nonce,
      verifier: flow.verifier,
      next: flow.next,
      invitation: flow.invitation,
      expires_at: flow.expiresAt,
    })
    .execute()
}

/**
 * Finds the sign-in that a browser returns from, only once: of two returns at once, on any node, one finds
 * nothing.
 */
export async function takeReturn(db: DbOrTx, id: Buffer, now: Date) {
  return db
    .updateTable('oidc_flows')
    .set({ returned_at: now })
    .where('id', '=', id)
    .where('returned_at', 'is', null)
    .where('expires_at', '>', now)
    .returning([
      'issuer',
      'user_id as userId',
      'session_id as sessionId',
      'nonce',
      'verifier',
      'next',
    ])
    .executeTakeFirst()
}

/** Stores the provider's claims until the person has answered. */
export async function writeClaims(db: DbOrTx, id: Buffer, claims: Claims): Promise<void> {
  await db
    .updateTable('oidc_flows')
    .set({
      subject: claims.subject,
      email: claims.email,
      email_verified: claims.emailVerified,
      label: claims.label,
      suggested: claims.suggested,
      sid: claims.sid,
    })
    .where('id', '=', id)
    .execute()
}

/** The provider has responded, and the person hasn't yet. */
export interface WaitingFlow {
  readonly issuer: string
  readonly claims: Claims
  readonly next: string
  readonly invitation: Buffer | null
}

/** Returns undefined when there is none or it has expired. */
export async function findWaiting(
  db: DbOrTx,
  id: Buffer,
  now: Date,
): Promise<WaitingFlow | undefined> {
  const row = await db
    .selectFrom('oidc_flows')
    .select([
      'issuer',
      'subject',
      'email',
      'email_verified',
      'label',
      'suggested',
      'sid',
      'next',
      'invitation',
    ])
    .where('id', '=', id)
    .where('subject', 'is not', null)
    .where('user_id', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (row === undefined || row.subject === null) return undefined
  const { issuer, subject, email, next, invitation } = row
  return {
    issuer,
    next,
    invitation,
    claims: {
      subject,
      email,
      emailVerified: row.email_verified === true,
      label: row.label ?? subject,
      suggested: row.suggested ?? '',
      sid: row.sid,
    },
  }
}

/** Returns false when another call has ended it meanwhile. */
export async function deleteFlow(db: DbOrTx, id: Buffer): Promise<boolean> {
  const row = await db
    .deleteFrom('oidc_flows')
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Ends sign-ins in progress of a session or a person that the provider has ended. */
export async function deleteEndedFlows(
  db: DbOrTx,
  { issuer, subject, sid }: Omit<ProviderEnd, 'at'>,
): Promise<void> {
  await db
    .deleteFrom('oidc_flows')
    .where('issuer', '=', issuer)
    .where('subject', 'is not', null)
    .$if(subject !== null, (flows) => flows.where('subject', '=', subject))
    .$if(sid !== null, (flows) => flows.where('sid', '=', sid))
    .execute()
}

export async function clearFlows(db: DbOrTx, now: Date): Promise<void> {
  await db.deleteFrom('oidc_flows').where('expires_at', '<=', now).execute()
}

/** Returns the owner of an identity, or undefined if nobody has it or the account is closed. */
export async function findHolder(db: DbOrTx, issuer: string, subject: string) {
  return db
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .select(['users.id', 'users.username', 'users.second_factor_at as factorSince'])
    .where('identities.issuer', '=', issuer)
    .where('identities.subject', '=', subject)
    .where('users.erased_at', 'is', null)
    .executeTakeFirst()
}

export async function findByConfirmedEmail(db: DbOrTx, email: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'password_hash as passwordHash', 'second_factor_at as factorSince'])
    .where('email_folded', '=', foldEmail(email))
    .where('email_confirmed_at', 'is not', null)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
}

/** Returns false when somebody has this identity already. */
export async function insertIdentity(
  tx: Tx,
  userId: string,
  { issuer, claims }: { readonly issuer: string; readonly claims: Claims },
  now: Date,
): Promise<boolean> {
  const row = await tx
    .insertInto('identities')
    .values({
      user_id: userId,
      issuer,
      subject: claims.subject,
      label: claims.label,
      created_at: now,
      used_at: now,
    })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Records a sign-in and the provider's current label for the person. */
export async function noteIdentityUse(
  db: DbOrTx,
  issuer: string,
  { subject, label }: Claims,
  now: Date,
): Promise<void> {
  await db
    .updateTable('identities')
    .set({ used_at: now, label })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute()
}

/** In the order in which they were added. */
export async function listIdentities(db: DbOrTx, userId: string) {
  return db
    .selectFrom('identities')
    .select(['id', 'issuer', 'label', 'created_at', 'used_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
}

/** Returns false when the person has no such identity. */
export async function deleteIdentity(tx: Tx, userId: string, id: number): Promise<boolean> {
  const row = await tx
    .deleteFrom('identities')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Counts the identities of a person at these issuers. */
export async function countIdentities(
  db: DbOrTx,
  userId: string,
  issuers: readonly string[],
): Promise<number> {
  const { count } = await db
    .selectFrom('identities')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_id', '=', userId)
    .where(sql<boolean>`issuer = any(${issuers}::text[])`)
    .executeTakeFirstOrThrow()
  return count
}

/** Also deletes identities that the person was about to add. */
export async function deleteIdentities(db: DbOrTx, userId: string): Promise<void> {
  await db.deleteFrom('identities').where('user_id', '=', userId).execute()
  await db.deleteFrom('oidc_flows').where('user_id', '=', userId).execute()
}
