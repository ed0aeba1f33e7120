import type { RequestOptions, UsedCredential } from '#contract/passkeys.ts'
import type { SignedIn } from '#server/people/accounts/accounts.ts'
import {
  verifyAuthentication,
  requestOptions,
  requirePasskeys,
  type CeremonyNeeds,
} from '#server/people/accounts/passkeys/ceremony.ts'
import { findPasskey, listPasskeys, noteCount } from '#server/people/accounts/passkeys/store.ts'
import {
  confirmSession,
  createSession,
  SIGNED_IN,
} from '#server/people/accounts/sessions/sessions.ts'
import type { Throttle } from '#server/people/accounts/throttle.ts'
import type { CallContext, Viewer } from '#server/kernel/call.ts'
import { conflict, Refusal } from '#server/kernel/errors.ts'

interface SignInNeeds extends CeremonyNeeds {
  readonly throttle: Throttle
}

/** @throws Refusal 409 where the address allows no passkeys, 429 for too many from one network */
export async function beginSignIn(
  needs: SignInNeeds,
  { address }: Pick<CallContext, 'address'>,
): Promise<RequestOptions> {
  requirePasskeys(needs)
  await needs.throttle.countHourly('challenge', address)
  return requestOptions(needs, 'signIn', null)
}

/**
 * Signs in the owner of the passkey. The device and the PIN or finger that unlocked it are two factors, so no code
 * is needed.
 * @throws Refusal 401 with the reason, 429 after failures
 */
export async function signInByPasskey(
  needs: SignInNeeds,
  credential: UsedCredential,
  { address, agent }: Pick<CallContext, 'address' | 'agent'>,
): Promise<SignedIn> {
  requirePasskeys(needs)
  const { db, clock, log, throttle } = needs
  const attempt = { passkeyFrom: address }
  await throttle.beginAttempt(attempt)
  const find = (id: Buffer) => findPasskey(db, id)
  const used = await verifyAuthentication(needs, 'signIn', null, credential, find)
  await noteUse(needs, used, 401)
  await throttle.endAttempt(attempt)
  const { userId } = used.passkey
  log.info({ person: userId, by: 'passkey' }, SIGNED_IN)
  return { ...(await createSession(db, userId, agent, clock.now())), userId }
}

/**
 * Accepts a passkey instead of password and code as proof that somebody at the login is this person.
 * @throws Refusal 401 with the reason, 429 after failures
 */
export async function provePerson(
  needs: SignInNeeds,
  userId: string,
  credential: UsedCredential,
  address: string,
): Promise<void> {
  requirePasskeys(needs)
  const attempt = { passkeyFrom: address }
  await needs.throttle.beginAttempt(attempt)
  const used = await verifyAuthentication(needs, 'signIn', null, credential, async (id) => {
    const found = await findPasskey(needs.db, id)
    return found?.userId === userId ? found : undefined
  })
  await noteUse(needs, used, 401)
  await needs.throttle.endAttempt(attempt)
}

/** @throws Refusal 409 for people without a passkey, or where the address allows none */
export async function beginConfirming(needs: SignInNeeds, viewer: Viewer): Promise<RequestOptions> {
  requirePasskeys(needs)
  const known = await listPasskeys(needs.db, viewer.id)
  if (known.length === 0) throw conflict('passkeyNone')
  const holder = { userId: viewer.id, sessionId: viewer.sessionId }
  return requestOptions(needs, 'confirm', holder, known)
}

/**
 * Records that the person has confirmed their identity in this session.
 * @throws Refusal 400 with the reason, 429 after failures
 */
export async function confirmByPasskey(
  needs: SignInNeeds,
  viewer: Viewer,
  credential: UsedCredential,
): Promise<void> {
  requirePasskeys(needs)
  const { db, clock, throttle } = needs
  const attempt = { session: viewer.sessionId }
  await throttle.beginAttempt(attempt)
  const holder = { userId: viewer.id, sessionId: viewer.sessionId }
  const used = await verifyAuthentication(needs, 'confirm', holder, credential, async (id) => {
    const found = await findPasskey(db, id)
    return found?.userId === viewer.id ? found : undefined
  })
  await noteUse(needs, used, 400)
  await throttle.endAttempt(attempt)
  await confirmSession(db, viewer.sessionId, clock.now())
}

/** @throws Refusal when the counter went backwards: this use or an earlier one came from a copy */
async function noteUse(
  { db, clock, log }: SignInNeeds,
  { passkey, counter, synced }: Awaited<ReturnType<typeof verifyAuthentication>>,
  status: 400 | 401,
): Promise<void> {
  if (await noteCount(db, passkey.id, { counter, synced }, clock.now())) return
  log.warn({ person: passkey.userId }, 'the counter of a passkey went backwards: it may be a copy')
  throw new Refusal(status, 'passkeyCopied')
}
