/** Checks that actions which could take an account over come from its owner. */
import { requirePassword } from '#server/people/accounts/erasure.ts'
import { findFactors } from '#server/people/accounts/factors/store.ts'
import type { Throttle } from '#server/people/accounts/throttle.ts'
import type { Db } from '#server/platform/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { unauthorized } from '#server/kernel/errors.ts'

/**
 * Requires the password of people without a second factor. People with one have confirmed with it, because the
 * call is marked `confirmed`.
 * @throws Refusal 400 at the password, 401 when the account was closed meanwhile, 429 after failures
 */
export async function requireOwner(
  needs: { readonly db: Db; readonly throttle: Throttle },
  viewer: Viewer,
  password: string | undefined,
): Promise<void> {
  const factors = await findFactors(needs.db, viewer.id)
  if (factors === undefined) throw unauthorized()
  if (factors.since !== null) return
  await requirePassword(needs, viewer, password)
}
