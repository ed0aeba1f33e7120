import { passDoor, refuseEarly, type DoorSettings } from '#server/people/accounts/door/door.ts'
import type { SignedIn } from '#server/people/accounts/accounts.ts'
import { findTaken, takenFields } from '#server/people/accounts/claims.ts'
import { writeConfirmedAddress } from '#server/people/accounts/identity.ts'
import { welcomeAddress } from '#server/people/accounts/mails/email.ts'
import type { SecretOf } from '#server/people/accounts/mails/links.ts'
import type { Flow } from '#server/people/accounts/oidc/flow-cookie.ts'
import { requireWaiting, type OidcNeeds } from '#server/people/accounts/oidc/sign-in.ts'
import {
  deleteFlow,
  findByConfirmedEmail,
  findHolder,
  insertIdentity,
} from '#server/people/accounts/oidc/store.ts'
import { createSession } from '#server/people/accounts/sessions/sessions.ts'
import { insertUser } from '#server/people/accounts/store.ts'
import type { CallContext } from '#server/kernel/call.ts'
import { conflict, Refusal, taken } from '#server/kernel/errors.ts'
import type { Current } from '#server/kernel/settings/site-settings.ts'
import { newId } from '#server/kernel/ids.ts'
import { welcomePerson } from '#server/people/points/ledger.ts'

export interface RegisterNeeds extends OidcNeeds {
  readonly settings: Current<'names' | 'WELCOME_POINTS' | keyof DoorSettings>
  readonly secretOf: SecretOf
}

/**
 * Creates an account without a password. If the provider doesn't confirm the address, a mail asks to.
 * @throws Refusal 404 when no sign-in waits, 403 when the door is shut, 409 at a name or address that is taken, 429
 */
export async function registerWaiting(
  needs: RegisterNeeds,
  flow: Flow | null,
  { username, hideEmail }: { readonly username: string; readonly hideEmail: boolean },
  { address, agent, locale }: Pick<CallContext, 'address' | 'agent' | 'locale'>,
): Promise<SignedIn> {
  const { db, clock, throttle, secretOf, settings } = needs
  const waiting = await requireWaiting(needs, flow)
  const { issuer, claims, invitation } = waiting
  const { email, emailVerified, subject } = claims
  if (flow === null || email === null) throw new Refusal(404, 'oidcEnded')
  if ((await findHolder(db, issuer, subject)) !== undefined) throw conflict('oidcForeign')
  // The address belongs to an existing account; the page asks for its password.
  if (emailVerified && (await findByConfirmedEmail(db, email)) !== undefined)
    throw taken({ email: 'emailTaken' })
  await refuseEarly(needs, settings.current, { email, invitation })
  const now = clock.now()
  const claimed = await findTaken(db, { username, email }, null, now)
  if (claimed.username || claimed.email) throw taken(takenFields(claimed))
  await throttle.countHourly('register', address)
  const userId = newId(now.getTime())
  return db.transaction().execute(async (tx) => {
    if (!(await deleteFlow(tx, flow.id))) throw new Refusal(404, 'oidcEnded')
    const user = { id: userId, username, email, hideEmail, passwordHash: '', pictureId: null, now }
    if (!(await insertUser(tx, { ...user, locale }))) throw taken({ username: 'usernameTaken' })
    const { current } = settings
    await passDoor(tx, current, { userId, email, invitation, now })
    await welcomePerson(tx, userId, current.WELCOME_POINTS, now)
    if (emailVerified) await writeConfirmedAddress(tx, userId, email, now)
    else await welcomeAddress(tx, secretOf, userId, now)
    if (!(await insertIdentity(tx, userId, waiting, now))) throw conflict('oidcForeign')
    const by = { issuer, sid: claims.sid }
    return { ...(await createSession(tx, userId, agent, now, by)), userId }
  })
}
