/** The SQL of people; only this file and identity.ts write `users`. */
import { sql } from 'kysely'
import type { Role } from '#contract/accounts.ts'
import { foldTerm } from '#contract/fold.ts'
import type { Locale } from '#contract/messages/messages.ts'
import { findTaken, foldEmail, lockClaims } from '#server/people/accounts/claims.ts'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { foldCase, skeleton } from '#server/kernel/text/fold.ts'

export interface NewUser {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly hideEmail: boolean
  readonly passwordHash: string
  /** Null uses a generated picture. */
  readonly pictureId: number | null
  readonly locale: Locale
  readonly now: Date
}

/** Returns false when name or address were taken meanwhile; of several at once exactly one succeeds. */
export async function insertUser(tx: Tx, user: NewUser): Promise<boolean> {
  await lockClaims(tx, [user])
  const taken = await findTaken(tx, user, null, user.now)
  if (taken.username || taken.email) return false
  const inserted = await tx
    .insertInto('users')
    .values({
      id: user.id,
      username: user.username,
      username_skeleton: skeleton(user.username),
      username_folded: foldCase(user.username),
      name_folded: foldTerm(user.username),
      email: user.email,
      email_folded: foldEmail(user.email),
      hide_email: user.hideEmail,
      password_hash: user.passwordHash,
      picture_id: user.pictureId,
      locale: user.locale,
      created_at: user.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Finds the person whose mails go to an address: the previous one until a change is confirmed. */
export async function findByMailAddress(db: DbOrTx, email: string): Promise<string | null> {
  const address = foldEmail(email)
  const row = await db
    .selectFrom('users')
    .select('id')
    .where((is) =>
      is.or([
        is('previous_email_folded', '=', address),
        is.and([is('email_folded', '=', address), is('previous_email_folded', 'is', null)]),
      ]),
    )
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Ignores case. */
export async function findCredentials(db: DbOrTx, username: string) {
  return db
    .selectFrom('users')
    .select(['id', 'password_hash', 'second_factor_at'])
    .where('username_folded', '=', foldCase(username))
    .where('erased_at', 'is', null)
    .executeTakeFirst()
}

/** Returns the password hash, or undefined for an unknown or erased person. */
export async function findPasswordHash(db: DbOrTx, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .where('erased_at', 'is', null)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  return row?.password_hash
}

export async function findForSession(db: DbOrTx, userId: string) {
  return db
    .selectFrom('users')
    .leftJoin('pictures', 'pictures.id', 'users.picture_id')
    .leftJoin('point_balances', 'point_balances.user_id', 'users.id')
    .select([
      'users.username',
      'users.email',
      'users.role',
      'users.suspended_at',
      'users.second_factor_at',
      'pictures.key as picture_key',
      sql<number>`greatest(coalesce(point_balances.net, 0), 0)`.as('kb_points'),
    ])
    .where('users.id', '=', userId)
    .where('users.erased_at', 'is', null)
    .executeTakeFirst()
}

/** Ignores case. Returns the name as its owner writes it, or null when there is nobody of that name. */
export async function setRole(
  db: DbOrTx,
  username: string,
  role: 'user' | 'administrator',
): Promise<string | null> {
  const row = await db
    .updateTable('users')
    .set({ role })
    .where('username_folded', '=', foldCase(username))
    .where('erased_at', 'is', null)
    .returning('username')
    .executeTakeFirst()
  return row?.username ?? null
}

/**
 * Turns an administrator into a user. Returns null when nobody has that name, and `'last'` without a change when
 * no other administrator may write; `evenLast` overrides that.
 */
export async function revokeAdministrator(
  db: Db,
  username: string,
  evenLast: boolean,
): Promise<{ username: string } | 'last' | null> {
  return db.transaction().execute(async (tx) => {
    const others = await lockAdministrators(tx)
    const person = await tx
      .selectFrom('users')
      .select(['id', 'username', 'role'])
      .where('username_folded', '=', foldCase(username))
      .where('erased_at', 'is', null)
      .executeTakeFirst()
    if (person === undefined) return null
    const isLast = person.role === 'administrator' && !others.some((id) => id !== person.id)
    if (isLast && !evenLast) return 'last'
    await setRole(tx, username, 'user')
    return { username: person.username }
  })
}

/** Lock the administrators first, see below. */
export async function writeRole(tx: Tx, userId: string, role: Role): Promise<void> {
  await tx.updateTable('users').set({ role }).where('id', '=', userId).execute()
}

export async function findEmail(db: DbOrTx, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.email
}

/**
 * Locks the active administrators in the order of their ids; call it before locking a single person. Not for their
 * keys, which an entry in the log locks while its transaction holds somebody else. The role is a literal, because a
 * generic plan couldn't use the partial index.
 */
export async function lockAdministrators(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom('users')
    .select('id')
    .where('role', '=', sql.lit('administrator'))
    .where('suspended_at', 'is', null)
    .where('erased_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map((row) => row.id)
}

/** Returns the usernames of the active administrators. */
export async function listAdministrators(db: DbOrTx): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('username')
    .where('role', '=', sql.lit('administrator'))
    .where('suspended_at', 'is', null)
    .where('erased_at', 'is', null)
    .orderBy('username')
    .execute()
  return rows.map(({ username }) => username)
}

/** The person must be locked. */
export async function writePasswordHash(tx: Tx, userId: string, hash: string): Promise<void> {
  await tx.updateTable('users').set({ password_hash: hash }).where('id', '=', userId).execute()
}

/** The person must be locked. From `since` on the sign-in requires a second factor; null ends that. */
export async function writeSecondFactor(tx: Tx, userId: string, since: Date | null): Promise<void> {
  await tx.updateTable('users').set({ second_factor_at: since }).where('id', '=', userId).execute()
}

/** For the command line and the demo, which have no session and no old password. */
export async function setPassword(db: DbOrTx, username: string, hash: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: hash })
    .where('username_folded', '=', foldCase(username))
    .execute()
}
