/**
 * Decides who holds which name and address: current ones, former names, and addresses whose change is unconfirmed
 * or can still be undone.
 */
import { sql } from 'kysely'
import { FORMER_NAME_DAYS } from '#contract/limits.ts'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { lock, lockName } from '#server/platform/db/locks.ts'
import { foldCase, skeleton } from '#server/kernel/text/fold.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Returns the form in which addresses are compared. */
export function foldEmail(email: string): string {
  return email.normalize('NFKC').toLowerCase()
}

export interface Claim {
  readonly username: string
  readonly email: string
}

/**
 * Serializes claims on these names and addresses until the transaction ends, across all tables: what a later
 * statement finds free stays free.
 */
export async function lockClaims(tx: Tx, claims: readonly Claim[]): Promise<void> {
  const keys = claims.flatMap(({ username, email }) => [
    lockName.username(skeleton(username)),
    lockName.email(foldEmail(email)),
  ])
  await lock(tx, ...keys)
}

/** Builds the fields of the refusal. */
export function takenFields({ username, email }: { username: boolean; email: boolean }) {
  return {
    ...(username && { username: 'usernameTaken' }),
    ...(email && { email: 'emailTaken' }),
  }
}

/** Returns which of the two somebody other than `userId` holds. */
export async function findTaken(
  db: DbOrTx,
  { username, email }: Claim,
  userId: string | null,
  now: Date,
): Promise<{ username: boolean; email: boolean }> {
  const nameSkeleton = skeleton(username)
  const address = foldEmail(email)
  const { rows } = await sql<{ username: boolean; email: boolean }>`
    select
      exists (select from users where username_skeleton = ${nameSkeleton} and id is distinct from ${userId}::uuid)
      or exists (
        select from former_usernames
        where username_skeleton = ${nameSkeleton} and free_at > ${now} and user_id is distinct from ${userId}::uuid
      ) as username,
      exists (
        select from users
        where (email_folded = ${address} or previous_email_folded = ${address}) and id is distinct from ${userId}::uuid
      )
      or exists (
        select from account_tokens
        where kind = 'undo' and email_folded = ${address} and used_at is null and expires_at > ${now}
          and user_id is distinct from ${userId}::uuid
      ) as email`.execute(db)
  return rows[0] ?? { username: true, email: true }
}

/** Reserves a name for the person who gives it up, and releases any reservation of the one they take. */
export async function exchangeName(
  tx: Tx,
  userId: string,
  { before, after }: { before: string; after: string },
  now: Date,
): Promise<void> {
  if (skeleton(before) === skeleton(after)) return
  // The reservation is the person's own or has expired.
  await tx.deleteFrom('former_usernames').where('username_skeleton', '=', skeleton(after)).execute()
  const former = {
    user_id: userId,
    username_folded: foldCase(before),
    free_at: new Date(now.getTime() + FORMER_NAME_DAYS * DAY_MS),
  }
  await tx
    .insertInto('former_usernames')
    .values({ username_skeleton: skeleton(before), ...former })
    .onConflict((conflict) => conflict.column('username_skeleton').doUpdateSet(former))
    .execute()
}

export async function countFormerNames(tx: Tx, userId: string, now: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('former_usernames')
    .select((each) => each.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('free_at', '>', now)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Returns the id of the person who has this name, in any case, or whose reserved former name it is; otherwise
 * null.
 */
export async function findPersonByName(db: Db, name: string, now: Date): Promise<string | null> {
  const nameSkeleton = skeleton(name)
  const { rows } = await sql<{ id: string }>`
    select id from users where username_skeleton = ${nameSkeleton} and erased_at is null
    union all
    select u.id from former_usernames f join users u on u.id = f.user_id
    where f.username_skeleton = ${nameSkeleton} and f.free_at > ${now} and u.erased_at is null
    limit 1`.execute(db)
  return rows[0]?.id ?? null
}
