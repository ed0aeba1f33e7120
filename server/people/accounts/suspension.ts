import type { Role } from '#contract/accounts.ts'
import type { Tx } from '#server/platform/db/connect.ts'

export interface AccountStatus {
  readonly username: string
  readonly role: Role
  readonly suspended: boolean
  /** Null for people who aren't suspended. */
  readonly suspendedAt: Date | null
}

/**
 * Locks a person until the transaction ends. Returns null for people who don't exist or have erased their account.
 */
export async function lockAccountStatus(tx: Tx, userId: string): Promise<AccountStatus | null> {
  const row = await tx
    .selectFrom('users')
    .select(['username', 'role', 'suspended_at'])
    .where('id', '=', userId)
    .where('erased_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    username: row.username,
    role: row.role === 'administrator' ? 'administrator' : 'user',
    suspended: row.suspended_at !== null,
    suspendedAt: row.suspended_at,
  }
}

/** The person must be locked; null lifts the suspension. Takes effect with the person's next request. */
export async function writeSuspension(
  tx: Tx,
  userId: string,
  suspension: { readonly reason: string; readonly at: Date } | null,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ suspended_at: suspension?.at ?? null, suspended_reason: suspension?.reason ?? null })
    .where('id', '=', userId)
    .execute()
}
