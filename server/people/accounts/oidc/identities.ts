import type { Identities } from '#contract/identities.ts'
import { lockIdentity, mailAddressOf } from '#server/people/accounts/identity.ts'
import { mailFactor } from '#server/people/accounts/mails/notices.ts'
import {
  deleteIdentity,
  findHolder,
  insertIdentity,
  listIdentities,
} from '#server/people/accounts/oidc/store.ts'
import type { Claims, Providers } from '#server/people/accounts/oidc/providers.ts'
import { requireWayIn } from '#server/people/accounts/ways-in.ts'
import type { Db } from '#server/platform/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Core } from '#server/platform/core/core.ts'
import { notFound, unauthorized } from '#server/kernel/errors.ts'

/** A provider that the settings no longer name is shown by its address. */
export async function showIdentities(
  { db, providers }: { readonly db: Db; readonly providers: Pick<Providers, 'list'> },
  viewer: Viewer,
): Promise<Identities> {
  const rows = await listIdentities(db, viewer.id)
  return {
    identities: rows.map(({ id, issuer, label, created_at, used_at }) => ({
      id,
      provider: providers.list.find((each) => each.issuer === issuer)?.name ?? issuer,
      label,
      createdAt: created_at.toISOString(),
      usedAt: used_at?.toISOString() ?? null,
    })),
  }
}

/**
 * Adds an identity to an account and mails a notice. Returns false when it belongs to another account; adding it
 * twice is no error.
 */
export async function addIdentity(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  userId: string,
  found: { readonly issuer: string; readonly claims: Claims },
): Promise<boolean> {
  const now = clock.now()
  return db.transaction().execute(async (tx) => {
    const person = await lockIdentity(tx, userId)
    if (person === null) return false
    if (!(await insertIdentity(tx, userId, found, now))) {
      const holder = await findHolder(tx, found.issuer, found.claims.subject)
      return holder?.id === userId
    }
    await mailFactor(tx, 'identityAdded', { userId, person, address: mailAddressOf(person) }, now)
    return true
  })
}

/**
 * Removes an identity and mails a notice.
 * @throws Refusal 404 when the caller has no such identity, 409 when nothing else would let them in
 */
export async function removeIdentity(
  { db, clock, config }: Pick<Core, 'db' | 'clock' | 'config'>,
  viewer: Viewer,
  id: number,
): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    const person = await lockIdentity(tx, viewer.id)
    if (person === null) throw unauthorized()
    if (!(await deleteIdentity(tx, viewer.id, id))) throw notFound('identityGone')
    await requireWayIn(tx, { userId: viewer.id, ...person }, config)
    const to = { userId: viewer.id, person, address: mailAddressOf(person) }
    await mailFactor(tx, 'identityRemoved', to, now)
  })
}
