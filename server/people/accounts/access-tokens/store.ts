/** The SQL of access tokens; only this file writes their table. */
import { sql, type RawBuilder } from 'kysely'
import type { Scope } from '#contract/endpoint.ts'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'

export interface TokenRow {
  readonly id: number
  readonly name: string
  readonly scopes: string[]
  readonly created_at: Date
  readonly expires_at: Date
  readonly last_used_at: Date | null
}

const SEEN = ['id', 'name', 'scopes', 'created_at', 'expires_at', 'last_used_at'] as const

export async function listTokens(db: DbOrTx, userId: string): Promise<TokenRow[]> {
  return db
    .selectFrom('access_tokens')
    .select(SEEN)
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute()
}

/** Call it while the person is locked. */
export async function countTokens(tx: Tx, userId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('access_tokens')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

export interface NewToken {
  readonly userId: string
  readonly name: string
  readonly hash: Buffer
  readonly scopes: readonly Scope[]
  readonly createdAt: Date
  readonly expiresAt: Date
}

export async function writeToken(tx: Tx, token: NewToken): Promise<TokenRow> {
  return tx
    .insertInto('access_tokens')
    .values({
      user_id: token.userId,
      name: token.name,
      hash: token.hash,
      scopes: [...token.scopes],
      created_at: token.createdAt,
      expires_at: token.expiresAt,
    })
    .returning(SEEN)
    .executeTakeFirstOrThrow()
}

/** Returns false when the person has no such token. */
export async function deleteToken(db: DbOrTx, userId: string, id: number): Promise<boolean> {
  const row = await db
    .deleteFrom('access_tokens')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteTokens(db: DbOrTx, userId: string): Promise<void> {
  await db.deleteFrom('access_tokens').where('user_id', '=', userId).execute()
}

/** Returns how many tokens there were. */
export async function deleteAllTokens(db: DbOrTx): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('access_tokens').executeTakeFirst()
  return Number(numDeletedRows)
}

/** A valid token with its owner. */
export interface BearerRow {
  readonly token_id: number
  readonly scopes: readonly Scope[]
  readonly id: string
  readonly username: string
  readonly role: string
  readonly suspended_at: Date | null
  readonly second_factor_at: Date | null
  readonly last_used_at: Date | null
}

export async function findBearer(db: Db, hash: Buffer, now: Date): Promise<BearerRow | null> {
  const { rows } = await sql<BearerRow>`
    select access_tokens.id as token_id, access_tokens.scopes, access_tokens.last_used_at,
      users.id, users.username, users.role, users.suspended_at, users.second_factor_at
    from access_tokens join users on users.id = access_tokens.user_id
    where access_tokens.hash = ${hash} and access_tokens.expires_at > ${now} and users.erased_at is null`.execute(
    db,
  )
  return rows[0] ?? null
}

/**
 * Returns those of these tokens that may use the chat and whose owners are neither suspended nor erased and
 * satisfy `open`, in one query.
 */
export async function findLiveTokens(
  db: DbOrTx,
  ids: readonly number[],
  { now, open }: { readonly now: Date; readonly open: RawBuilder<boolean> },
): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('access_tokens')
    .innerJoin('users', 'users.id', 'access_tokens.user_id')
    .select('access_tokens.id')
    .where(sql<boolean>`access_tokens.id = any(${ids}::bigint[])`)
    .where('access_tokens.expires_at', '>', now)
    .where(sql<boolean>`'chat' = any(access_tokens.scopes)`)
    .where('users.suspended_at', 'is', null)
    .where('users.erased_at', 'is', null)
    .where(open)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Records a use, unless another node has recorded one since `before`. */
export async function writeUse(
  db: Db,
  id: number,
  { now, before }: { readonly now: Date; readonly before: Date },
): Promise<void> {
  await db
    .updateTable('access_tokens')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((each) => each.or([each('last_used_at', 'is', null), each('last_used_at', '<', before)]))
    .execute()
}
