import { MOST_PASSKEYS } from '#contract/limits.ts'
import type { CreationOptions, NewCredential, Passkeys } from '#contract/passkeys.ts'
import { requireOwner } from '#server/people/accounts/factors/owner.ts'
import { forgetFactors } from '#server/people/accounts/factors/factors.ts'
import { hashRecoveryCode, newRecoveryCodes } from '#server/people/accounts/factors/recovery.ts'
import {
  findFactors,
  findTotp,
  replaceRecoveryCodes,
} from '#server/people/accounts/factors/store.ts'
import { lockIdentity, mailAddressOf } from '#server/people/accounts/identity.ts'
import { mailFactor, type FactorNotice } from '#server/people/accounts/mails/notices.ts'
import {
  admitsPasskeys,
  creationOptions,
  verifyRegistration,
  requirePasskeys,
  siteId,
  userHandle,
  type CeremonyNeeds,
} from '#server/people/accounts/passkeys/ceremony.ts'
import {
  countPasskeys,
  deletePasskey,
  insertPasskey,
  listPasskeys,
  renamePasskey,
} from '#server/people/accounts/passkeys/store.ts'
import { confirmSession } from '#server/people/accounts/sessions/sessions.ts'
import { writeSecondFactor } from '#server/people/accounts/store.ts'
import { requireWayIn } from '#server/people/accounts/ways-in.ts'
import type { Throttle } from '#server/people/accounts/throttle.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Config } from '#server/kernel/config.ts'
import { conflict, notFound, unauthorized } from '#server/kernel/errors.ts'

export interface PasskeyNeeds extends CeremonyNeeds {
  readonly throttle: Throttle
  readonly config: Config
}

const holderOf = ({ id, sessionId }: Viewer) => ({ userId: id, sessionId })

/**
 * Returns the person's passkeys, whether the site's address allows any, and what the browser's Signal API needs.
 */
export async function showPasskeys(
  { db, publicUrl }: PasskeyNeeds,
  viewer: Viewer,
): Promise<Passkeys> {
  const rows = await listPasskeys(db, viewer.id)
  const offered = admitsPasskeys(publicUrl)
  return {
    offered,
    signal: offered
      ? {
          rpId: siteId(publicUrl),
          userId: userHandle(viewer.id).toString('base64url'),
          credentials: rows.map(({ credential }) => credential.toString('base64url')),
        }
      : null,
    passkeys: rows.map(({ id, name, synced, created_at, used_at }) => ({
      id,
      name,
      synced,
      createdAt: created_at.toISOString(),
      usedAt: used_at?.toISOString() ?? null,
    })),
  }
}

/**
 * Starts to add a passkey, which is a way to sign in, so it requires the password. People with a second factor
 * have confirmed with it instead.
 * @throws Refusal 400 at the password, 409 above 20 passkeys or where the address allows none, 429 after failures
 */
export async function beginAdding(
  needs: PasskeyNeeds,
  viewer: Viewer,
  password: string | undefined,
): Promise<CreationOptions> {
  requirePasskeys(needs)
  await requireOwner(needs, viewer, password)
  const known = await listPasskeys(needs.db, viewer.id)
  if (known.length >= MOST_PASSKEYS) throw conflict('passkeysMany', { most: MOST_PASSKEYS })
  return creationOptions(needs, { ...holderOf(viewer), username: viewer.username }, known)
}

/**
 * Adds the passkey that the browser created and mails a notice. If it is the person's first second factor, returns
 * recovery codes, which are never shown again.
 * @throws Refusal 400 with the reason, 409 when the passkey exists already or there are too many
 */
export async function finishAdding(
  needs: PasskeyNeeds,
  viewer: Viewer,
  { name, credential }: { readonly name: string; readonly credential: NewCredential },
): Promise<string[]> {
  requirePasskeys(needs)
  const made = await verifyRegistration(needs, holderOf(viewer), credential)
  const now = needs.clock.now()
  const { id } = viewer
  return needs.db.transaction().execute(async (tx) => {
    const { notify } = await lockAndNotify(tx, id, now)
    if ((await countPasskeys(tx, id)) >= MOST_PASSKEYS)
      throw conflict('passkeysMany', { most: MOST_PASSKEYS })
    if (!(await insertPasskey(tx, id, { ...made, name }, now))) throw conflict('passkeyThere')
    const factors = await findFactors(tx, id)
    const codes = factors?.since ? [] : newRecoveryCodes()
    if (codes.length > 0) {
      await replaceRecoveryCodes(tx, id, codes.map(hashRecoveryCode))
      await writeSecondFactor(tx, id, now)
    }
    // Using an authenticator has just confirmed the person's identity.
    await confirmSession(tx, viewer.sessionId, now)
    await notify('passkeyAdded')
    return codes
  })
}

/** @throws Refusal 404 when the person has no such passkey */
export async function rename(
  { db }: PasskeyNeeds,
  viewer: Viewer,
  id: number,
  name: string,
): Promise<void> {
  if (!(await renamePasskey(db, viewer.id, id, name))) throw notFound('passkeyGone')
}

/**
 * Removes a passkey and mails a notice. With the last second factor the recovery codes go too.
 * @throws Refusal 404 when the person has no such passkey, 409 when nothing else would let them in
 */
export async function removePasskey(
  { db, clock, config }: PasskeyNeeds,
  viewer: Viewer,
  id: number,
): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    const { notify, person } = await lockAndNotify(tx, viewer.id, now)
    const left = await deletePasskey(tx, viewer.id, id)
    if (left === null) throw notFound('passkeyGone')
    await requireWayIn(tx, { userId: viewer.id, ...person }, config)
    const isLast = left === 0 && (await findTotp(tx, viewer.id, true)) === undefined
    if (isLast) await forgetFactors(tx, viewer.id)
    await notify(isLast ? 'passkeyLast' : 'passkeyRemoved')
  })
}

/**
 * Locks a person and returns a function that mails them about their factors. @throws Refusal 401 when the account
 * was closed
 */
async function lockAndNotify(tx: Tx, userId: string, now: Date) {
  const person = await lockIdentity(tx, userId)
  if (person === null) throw unauthorized()
  const to = { userId, person, address: mailAddressOf(person) }
  return { person, notify: (what: FactorNotice) => mailFactor(tx, what, to, now) }
}
