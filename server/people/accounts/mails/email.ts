import { deleteTokens } from '#server/people/accounts/access-tokens/store.ts'
import { findTaken, foldEmail, lockClaims } from '#server/people/accounts/claims.ts'
import {
  lockIdentity,
  writeConfirmedAddress,
  type Identity,
} from '#server/people/accounts/identity.ts'
import {
  endLinks,
  endUndoLinks,
  linkInvalid,
  spendLink,
  type SecretOf,
} from '#server/people/accounts/mails/links.ts'
import { mailLink } from '#server/people/accounts/mails/notices.ts'
import { revokeOtherSessions } from '#server/people/accounts/sessions/sessions.ts'
import type { Throttle } from '#server/people/accounts/throttle.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { unauthorized } from '#server/kernel/errors.ts'
import { releaseLetters } from '#server/platform/mail/letters.ts'

interface Needs {
  readonly db: Db
  readonly clock: Clock
  readonly throttle: Throttle
  readonly secretOf: SecretOf
}

/** Mails a new person the link that confirms the address; nothing waits for the confirmation. */
export async function welcomeAddress(
  tx: Tx,
  secretOf: SecretOf,
  userId: string,
  now: Date,
): Promise<void> {
  const person = await lockIdentity(tx, userId)
  if (person !== null)
    await mailLink(tx, secretOf, 'confirm', { userId, person, address: person.email }, now)
}

/**
 * Mails the link again; earlier ones still work. Mails nothing when the address is confirmed.
 * @throws Refusal 429 above 3 an hour
 */
export async function resendConfirmation(
  { db, clock, throttle, secretOf }: Needs,
  userId: string,
): Promise<void> {
  await throttle.countHourly('confirm', userId)
  await db.transaction().execute(async (tx) => {
    const person = await lockIdentity(tx, userId)
    if (person === null) throw unauthorized()
    if (person.emailConfirmedAt !== null) return
    await mailLink(tx, secretOf, 'confirm', { userId, person, address: person.email }, clock.now())
  })
}

/**
 * Confirms the address to which the link was mailed, if the account still has it, and releases held mails. Ends
 * links mailed to the previous address, except the undo of a confirmed one: an address that nobody ever confirmed
 * has no claim against one that was.
 * @throws Refusal 400
 */
export async function confirmEmail({ db, clock }: Needs, token: string): Promise<void> {
  const now = clock.now()
  await spendLink(db, 'confirm', token, now, async (tx, { userId, email, person }) => {
    if (email === null || foldEmail(email) !== foldEmail(person.email)) throw linkInvalid()
    await writeConfirmedAddress(tx, userId, person.email, now)
    await endLinks(tx, userId, ['confirm'], now)
    if (person.previousEmail !== null) await endLinks(tx, userId, ['reset'], now)
    if (person.previousEmail !== null && person.previousEmailConfirmedAt === null)
      await endUndoLinks(tx, userId, { email: person.previousEmail }, now)
    await releaseLetters(tx, userId, person.email, now)
  })
}

/**
 * Mails what follows from an edit of the address, in its transaction: a link to the new address, and a notice with
 * an undo link to the previous one, which stays the same over several unconfirmed changes.
 */
export async function followAddress(
  tx: Tx,
  secretOf: SecretOf,
  { userId, before, email }: { userId: string; before: Identity; email: string },
  now: Date,
): Promise<void> {
  if (foldEmail(email) === foldEmail(before.email)) return
  const reached = before.previousEmail ?? before.email
  await endLinks(tx, userId, ['confirm'], now)
  if (foldEmail(email) === foldEmail(reached)) {
    await endUndoLinks(tx, userId, { email: reached }, now)
    return
  }
  await mailLink(tx, secretOf, 'confirm', { userId, person: before, address: email }, now)
  await mailLink(tx, secretOf, 'undo', { userId, person: before, address: reached }, now)
}

/**
 * Restores the address from which the change was made; the link proves that somebody still reads it. The account
 * may be stolen, so all sessions, access tokens, links and undos of later changes end, and a reset link is mailed.
 * Returns the id of the account.
 * @throws Refusal 400
 */
export async function undoEmail({ db, clock, secretOf }: Needs, token: string): Promise<string> {
  const now = clock.now()
  return spendLink(db, 'undo', token, now, async (tx, { id, userId, email, person }) => {
    if (email === null) throw linkInvalid()
    const wanted = { username: person.username, email }
    await lockClaims(tx, [wanted])
    if ((await findTaken(tx, wanted, userId, now)).email) throw linkInvalid()
    await writeConfirmedAddress(tx, userId, email, now)
    await endLinks(tx, userId, ['confirm', 'reset'], now)
    await endUndoLinks(tx, userId, { email, since: id }, now)
    await revokeOtherSessions(tx, userId, null, now)
    await deleteTokens(tx, userId)
    await releaseLetters(tx, userId, email, now)
    await mailLink(tx, secretOf, 'undone', { userId, person, address: email }, now)
    return userId
  })
}
