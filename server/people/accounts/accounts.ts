import type { Registration, Login, PasswordChange } from '#contract/accounts.ts'
import type * as z from 'zod/mini'
import { findTaken, takenFields } from '#server/people/accounts/claims.ts'
import type { Devices } from '#server/people/accounts/sessions/devices.ts'
import {
  hashOfToken,
  passDoor,
  refuseEarly,
  type DoorSettings,
} from '#server/people/accounts/door/door.ts'
import { networkOf } from '#server/kernel/network.ts'
import {
  hashPassword,
  isCommonPassword,
  verifyPassword,
} from '#server/people/accounts/passwords.ts'
import { requireCode, type CodeNeeds } from '#server/people/accounts/factors/codes.ts'
import { lockIdentity, mailAddressOf } from '#server/people/accounts/identity.ts'
import { welcomeAddress } from '#server/people/accounts/mails/email.ts'
import { endLinks, type SecretOf } from '#server/people/accounts/mails/links.ts'
import { mailNewPassword } from '#server/people/accounts/mails/notices.ts'
import {
  createSession,
  revokeOtherSessions,
  SIGN_IN_REFUSED,
  SIGNED_IN,
} from '#server/people/accounts/sessions/sessions.ts'
import {
  findCredentials,
  findPasswordHash,
  insertUser,
  writePasswordHash,
} from '#server/people/accounts/store.ts'
import type { Throttle } from '#server/people/accounts/throttle.ts'
import type { RefreshUse } from '#server/people/accounts/sessions/tokens.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { exchangePicture } from '#server/platform/files/picture-life.ts'
import type { StorePicture } from '#server/platform/core/core.ts'
import type { CallContext, Viewer } from '#server/kernel/call.ts'
import { record } from '#server/platform/events/outbox.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { invalid, invalidField, Refusal, taken } from '#server/kernel/errors.ts'
import type { Current } from '#server/kernel/settings/site-settings.ts'
import { foldCase } from '#server/kernel/text/fold.ts'
import { newId } from '#server/kernel/ids.ts'
import { welcomePerson } from '#server/people/points/ledger.ts'

interface AccountNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly throttle: Throttle
}

export interface RegistrationNeeds extends AccountNeeds {
  readonly settings: Current<'WELCOME_POINTS' | keyof DoorSettings>
  readonly storePicture: StorePicture
  /** Creates the secret of the mailed link that confirms the address; null sends no mail. */
  readonly secretOf: SecretOf | null
}

type Caller = Pick<CallContext, 'address' | 'agent' | 'locale'>

export interface SignedIn extends RefreshUse {
  readonly userId: string
}

/**
 * Creates an account with its picture, its ledger, a mail that confirms its address and a session.
 * @throws Refusal 403 when the door is shut, 400 at invalid fields, 409 at taken ones; 413 for the picture; 429 for too many from one address
 */
export async function registerPerson(
  needs: RegistrationNeeds,
  form: z.output<typeof Registration>,
  caller: Caller,
): Promise<SignedIn> {
  const { db, clock, secretOf } = needs
  await needs.throttle.countHourly('register', caller.address)
  const invitation = form.invitation ? hashOfToken(form.invitation) : null
  await refuseEarly(needs, needs.settings.current, { email: form.email, invitation })
  await refuseTaken(needs, form, isCommonPassword(form.password))
  // Stores the picture before the person, whose row is written last, so that a failure leaves nobody half
  // registered.
  const picture = form.image === undefined ? null : await needs.storePicture(form.image, null)
  const pictureId = picture?.pictureId ?? null
  const passwordHash = await hashPassword(form.password, networkOf(caller.address))
  const now = clock.now()
  const userId = newId(now.getTime())
  const session = await db.transaction().execute(async (tx) => {
    const { current } = needs.settings
    const { username, email, hideEmail } = form
    const user = { id: userId, username, email, hideEmail, passwordHash, pictureId, now }
    if (!(await insertUser(tx, { ...user, locale: caller.locale }))) return null
    await exchangePicture(tx, { before: null, after: pictureId, ownerId: userId, as: 'face' })
    await passDoor(tx, current, { userId, email, invitation, now })
    await welcomePerson(tx, userId, current.WELCOME_POINTS, now)
    if (secretOf !== null) await welcomeAddress(tx, secretOf, userId, now)
    await record(tx, { type: 'user.registered', userId }, now)
    return createSession(tx, userId, caller.agent, now)
  })
  if (session !== null) return { ...session, userId }
  await refuseTaken(needs, form, false)
  throw taken({ username: 'usernameTaken' })
}

async function refuseTaken(
  { db, clock }: AccountNeeds,
  form: { username: string; email: string },
  isCommon: boolean,
): Promise<void> {
  const claimed = await findTaken(db, form, null, clock.now())
  const common = isCommon ? { password: 'passwordCommon' } : {}
  if (claimed.username || claimed.email) throw taken({ ...takenFields(claimed), ...common })
  if (isCommon) throw invalid(common)
}

/**
 * Signs in by name and password, and by a code if the person has a second factor.
 * @throws Refusal 401, the same for an unknown name and a wrong password, and one at `code` once both are right;
 * 429 after failures
 */
export async function signIn(
  needs: CodeNeeds & { readonly devices: Devices },
  { username, password, code }: z.output<typeof Login>,
  { address, agent, cookies }: Pick<CallContext, 'address' | 'agent' | 'cookies'>,
): Promise<SignedIn> {
  const { db, clock, log, throttle, devices } = needs
  const found = await findCredentials(db, username)
  const device = found === undefined ? null : devices.knownTo(found.id, cookies)
  const attempt = { account: foldCase(username), address, device }
  await throttle.beginAttempt(attempt)
  const asker = device === null ? networkOf(address) : { known: device }
  const fits = await verifyPassword(found?.password_hash, password, asker)
  if (found === undefined || !fits) {
    // Doesn't log a name that belongs to nobody: people type their passwords there.
    log.warn({ person: found?.id ?? null, by: 'password' }, SIGN_IN_REFUSED)
    throw new Refusal(401, 'loginWrong')
  }
  await throttle.endAttempt(attempt)
  if (found.second_factor_at !== null)
    await requireCode(needs, { userId: found.id, known: device }, code, 401)
  log.info(
    { person: found.id, by: found.second_factor_at === null ? 'password' : 'code' },
    SIGNED_IN,
  )
  return { ...(await createSession(db, found.id, agent, clock.now())), userId: found.id }
}

/**
 * Ends all other sessions and all reset links of the person, and mails a notice.
 * @throws Refusal 400 at the fields; 429 after failures
 */
export async function changePassword(
  { db, clock, throttle }: AccountNeeds,
  viewer: Viewer,
  { password, newPassword }: z.output<typeof PasswordChange>,
): Promise<void> {
  if (isCommonPassword(newPassword)) throw invalidField('newPassword', 'passwordCommon')
  const asker = { known: viewer.sessionId }
  const attempt = { session: viewer.sessionId }
  await throttle.beginAttempt(attempt)
  const before = await findPasswordHash(db, viewer.id)
  if (before === undefined || !(await verifyPassword(before, password, asker)))
    throw invalidField('password', 'passwordWrong')
  await throttle.endAttempt(attempt)
  const after = await hashPassword(newPassword, asker)
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    const person = await lockIdentity(tx, viewer.id)
    // Another call changed the password meanwhile.
    if (person?.passwordHash !== before) throw invalidField('password', 'passwordWrong')
    await writePasswordHash(tx, viewer.id, after)
    await revokeOtherSessions(tx, viewer.id, viewer.sessionId, now)
    await endLinks(tx, viewer.id, ['reset'], now)
    const address = mailAddressOf(person)
    await mailNewPassword(tx, { userId: viewer.id, person, address }, now)
  })
}
