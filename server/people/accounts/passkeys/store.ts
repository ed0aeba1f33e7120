/** The SQL of passkeys; only this file writes their two tables. */
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'

export type Purpose = 'signIn' | 'add' | 'confirm'

/** The person and session of a challenge; null for a sign-in. */
export interface ChallengeHolder {
  readonly userId: string
  readonly sessionId: string
}

export interface StoredPasskey {
  readonly id: number
  readonly userId: string
  readonly credential: Buffer
  readonly cose: Buffer
  readonly counter: number
  readonly transports: string[]
}

export async function insertChallenge(
  db: DbOrTx,
  challenge: Buffer,
  purpose: Purpose,
  holder: ChallengeHolder | null,
  expiresAt: Date,
): Promise<void> {
  await db
    .insertInto('passkey_challenges')
    .values({
      challenge,
      purpose,
      user_id: holder?.userId ?? null,
      session_id: holder?.sessionId ?? null,
      expires_at: expiresAt,
    })
    .execute()
}

/**
 * Deletes a challenge; returns true when it existed for this purpose and holder and hadn't expired. One statement,
 * so that of two uses at once, on any node, one is refused.
 */
export async function takeChallenge(
  db: DbOrTx,
  challenge: Buffer,
  purpose: Purpose,
  holder: ChallengeHolder | null,
  now: Date,
): Promise<boolean> {
  const row = await db
    .deleteFrom('passkey_challenges')
    .where('challenge', '=', challenge)
    .where('purpose', '=', purpose)
    .where(sql<boolean>`user_id is not distinct from ${holder?.userId ?? null}::uuid`)
    .where(sql<boolean>`session_id is not distinct from ${holder?.sessionId ?? null}::uuid`)
    .returning('expires_at')
    .executeTakeFirst()
  return row !== undefined && row.expires_at > now
}

export async function clearChallenges(db: DbOrTx, now: Date): Promise<void> {
  await db.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute()
}

/** In the order in which they were added. */
export async function listPasskeys(db: DbOrTx, userId: string) {
  return db
    .selectFrom('passkeys')
    .select(['id', 'name', 'credential', 'transports', 'synced', 'created_at', 'used_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
}

/** Finds a passkey by its credential id; undefined when there is none or its owner's account is closed. */
export async function findPasskey(
  db: DbOrTx,
  credential: Buffer,
): Promise<StoredPasskey | undefined> {
  return db
    .selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'passkeys.user_id')
    .select([
      'passkeys.id',
      'passkeys.user_id as userId',
      'passkeys.credential',
      'passkeys.cose',
      'passkeys.counter',
      'passkeys.transports',
    ])
    .where('passkeys.credential', '=', credential)
    .where('users.erased_at', 'is', null)
    .executeTakeFirst()
}

export interface NewPasskey {
  readonly credential: Buffer
  readonly cose: Buffer
  readonly counter: number
  readonly transports: readonly string[]
  readonly synced: boolean
  readonly name: string
}

/** The person must be locked. Returns false when the site has this passkey already. */
export async function insertPasskey(
  tx: Tx,
  userId: string,
  passkey: NewPasskey,
  now: Date,
): Promise<boolean> {
  const row = await tx
    .insertInto('passkeys')
    .values({
      ...passkey,
      transports: [...passkey.transports],
      user_id: userId,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('credential').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Records a use; returns false when the counter hasn't increased, which reveals a copy, or when the passkey was
 * removed meanwhile. One statement, so that of two uses at once with the same count one is refused.
 */
export async function noteCount(
  db: DbOrTx,
  id: number,
  { counter, synced }: { readonly counter: number; readonly synced: boolean },
  now: Date,
): Promise<boolean> {
  const row = await db
    .updateTable('passkeys')
    .set({ counter, synced, used_at: now })
    .where('id', '=', id)
    .where(sql<boolean>`(counter < ${counter} or (counter = 0 and ${counter} = 0))`)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Returns false when the person has no such passkey. */
export async function renamePasskey(
  db: DbOrTx,
  userId: string,
  id: number,
  name: string,
): Promise<boolean> {
  const row = await db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The person must be locked. Returns how many passkeys are left, or null when there was no such passkey. */
export async function deletePasskey(tx: Tx, userId: string, id: number): Promise<number | null> {
  const row = await tx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  return row === undefined ? null : countPasskeys(tx, userId)
}

export async function countPasskeys(db: DbOrTx, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('passkeys')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

/** Also deletes the person's open challenges. */
export async function deletePasskeys(db: DbOrTx, userId: string): Promise<void> {
  await db.deleteFrom('passkeys').where('user_id', '=', userId).execute()
  await db.deleteFrom('passkey_challenges').where('user_id', '=', userId).execute()
}
