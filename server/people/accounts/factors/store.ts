/** The SQL of second factors; only this file writes their two tables. */
import { sql } from 'kysely'
import { deletePasskeys } from '#server/people/accounts/passkeys/store.ts'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'

/** Reads the second factors of a person, and the passkeys that replace a password. */
export async function findFactors(db: DbOrTx, userId: string) {
  return db
    .selectFrom('users')
    .select((each) => [
      'second_factor_at as since',
      'role',
      'password_hash as passwordHash',
      each
        .selectFrom('recovery_codes')
        .select(sql<number>`count(*)::int`.as('count'))
        .whereRef('recovery_codes.user_id', '=', 'users.id')
        .as('recoveryCodes'),
      each
        .exists(
          each
            .selectFrom('totp_secrets')
            .select('user_id')
            .whereRef('totp_secrets.user_id', '=', 'users.id')
            .where('confirmed_at', 'is not', null),
        )
        .as('app'),
      each
        .selectFrom('passkeys')
        .select(sql<number>`count(*)::int`.as('count'))
        .whereRef('passkeys.user_id', '=', 'users.id')
        .as('passkeys'),
    ])
    .where('id', '=', userId)
    .executeTakeFirst()
}

/** Finds the encrypted secret of an app. `isConfirmed`: the app has shown a valid code. */
export async function findTotp(db: DbOrTx, userId: string, isConfirmed: boolean) {
  return db
    .selectFrom('totp_secrets')
    .select('sealed')
    .where('user_id', '=', userId)
    .where('confirmed_at', isConfirmed ? 'is not' : 'is', null)
    .executeTakeFirst()
}

/** Starts again with another secret; a confirmed app keeps its own. */
export async function writeTotpStart(
  db: DbOrTx,
  userId: string,
  sealed: Buffer,
  now: Date,
): Promise<void> {
  await db
    .insertInto('totp_secrets')
    .values({ user_id: userId, sealed, created_at: now })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ sealed, created_at: now, last_step: 0 })
        .where('totp_secrets.confirmed_at', 'is', null),
    )
    .execute()
}

/** Returns false when the secret was replaced since the setup began. */
export async function writeTotpConfirmed(
  tx: Tx,
  userId: string,
  sealed: Buffer,
  step: number,
  now: Date,
): Promise<boolean> {
  const row = await tx
    .updateTable('totp_secrets')
    .set({ confirmed_at: now, last_step: step })
    .where('user_id', '=', userId)
    .where('sealed', '=', sealed)
    .where('confirmed_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Uses up the code of a half minute; returns false when it, or a later one, was used before. One statement, so
 * that of two uses at once, on any node, one is refused. `resealed` is the secret under the current key, if it was
 * under an older one.
 */
export async function takeStep(
  db: DbOrTx,
  userId: string,
  step: number,
  resealed: Buffer | null,
): Promise<boolean> {
  const row = await db
    .updateTable('totp_secrets')
    .set({ last_step: step, ...(resealed !== null && { sealed: resealed }) })
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .where('last_step', '<', step)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Returns false when there is no such code or it was used. */
export async function takeRecoveryCode(tx: Tx, userId: string, hash: Buffer): Promise<boolean> {
  const row = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** The person must be locked. */
export async function replaceRecoveryCodes(
  tx: Tx,
  userId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, hash })))
    .execute()
}

export async function deleteTotp(db: DbOrTx, userId: string): Promise<void> {
  await db.deleteFrom('totp_secrets').where('user_id', '=', userId).execute()
}

export async function deleteFactors(db: DbOrTx, userId: string): Promise<void> {
  await deleteTotp(db, userId)
  await deletePasskeys(db, userId)
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}
