/** Closes an account: afterwards nothing in `users` identifies its person, and nobody can sign in to it. */
import { FORMER_MEMBER } from '#contract/former-member.ts'
import { deleteTokens } from '#server/people/accounts/access-tokens/store.ts'
import { deleteFactors } from '#server/people/accounts/factors/store.ts'
import { lockIdentity, type Identity } from '#server/people/accounts/identity.ts'
import { deleteIdentities } from '#server/people/accounts/oidc/store.ts'
import { verifyPassword } from '#server/people/accounts/passwords.ts'
import { findPasswordHash, lockAdministrators } from '#server/people/accounts/store.ts'
import type { Throttle } from '#server/people/accounts/throttle.ts'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { releasePicture } from '#server/platform/files/picture-life.ts'
import { refuseUnconfirmed, type Viewer } from '#server/kernel/call.ts'
import { conflict, invalidField, unauthorized } from '#server/kernel/errors.ts'

/** What later steps of the erasure need. */
export interface ClosedAccount {
  /** All addresses that the person had confirmed. */
  readonly addresses: readonly string[]
}

/**
 * Wrong passwords count for the session. People without a password sign in by a provider and must have signed in,
 * or confirmed with a passkey, within the last 15 minutes. Returns the hash.
 * @throws Refusal 401, 400 at the password, 403 `confirmFirst`, 429
 */
export async function requirePassword(
  { db, throttle }: { readonly db: Db; readonly throttle: Throttle },
  viewer: Viewer,
  password: string | undefined,
): Promise<string> {
  const hash = await findPasswordHash(db, viewer.id)
  // The account was closed at this moment.
  if (hash === undefined) throw unauthorized()
  if (hash === '') {
    refuseUnconfirmed(viewer)
    return hash
  }
  if (password === undefined) throw invalidField('password', 'enterPassword')
  const attempt = { session: viewer.sessionId }
  await throttle.beginAttempt(attempt)
  if (!(await verifyPassword(hash, password, { known: viewer.sessionId })))
    throw invalidField('password', 'passwordWrong')
  await throttle.endAttempt(attempt)
  return hash
}

/**
 * Closes an account for good: name and address become free at once, and all sessions and links end. `hash` is that
 * of the given password.
 * @throws Refusal 401 when it is closed already, 400 when the password was changed meanwhile, 409 for the last
 * administrator
 */
export async function closeAccount(
  tx: Tx,
  viewer: Viewer,
  hash: string,
  now: Date,
): Promise<ClosedAccount> {
  const { id } = viewer
  if (await isAdministrator(tx, id)) await refuseLast(tx, id)
  const person = await lockIdentity(tx, id)
  if (person === null) throw unauthorized()
  if (person.passwordHash !== hash) throw invalidField('password', 'passwordWrong')
  // Contains a space, so that it is neither a valid name nor a valid address.
  const nobody = `erased ${id}`
  await tx
    .updateTable('users')
    .set({
      username: FORMER_MEMBER,
      username_skeleton: nobody,
      username_folded: nobody,
      name_folded: null,
      email: nobody,
      email_folded: nobody,
      email_confirmed_at: null,
      previous_email: null,
      previous_email_folded: null,
      previous_email_confirmed_at: null,
      hide_email: true,
      notices: false,
      about: null,
      page_hidden: true,
      password_hash: '',
      role: 'user',
      picture_id: null,
      locale: 'en',
      suspended_at: null,
      suspended_reason: null,
      second_factor_at: null,
      erased_at: now,
    })
    .where('id', '=', id)
    .execute()
  await tx.deleteFrom('former_usernames').where('user_id', '=', id).execute()
  await forgetSignIns(tx, id, true)
  if (person.pictureId !== null) await releasePicture(tx, person.pictureId)
  return { addresses: confirmedAddresses(person) }
}

/** An unconfirmed address may be a stranger's, whose reports must not be deleted with this account. */
function confirmedAddresses(person: Identity): string[] {
  const { email, emailConfirmedAt, previousEmail, previousEmailConfirmedAt } = person
  return [
    ...(emailConfirmedAt === null ? [] : [email]),
    ...(previousEmail === null || previousEmailConfirmedAt === null ? [] : [previousEmail]),
  ]
}

/**
 * Reads the row, because a viewer who still needs a second factor has the role of a user but is an administrator.
 */
async function isAdministrator(tx: Tx, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('role')
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.role === 'administrator'
}

/**
 * Deletes sessions, second factors, access tokens and mailed links. `open` deletes only valid sessions, which an
 * index finds.
 */
export async function forgetSignIns(db: DbOrTx, userId: string, open = false): Promise<void> {
  const sessions = db.deleteFrom('sessions').where('user_id', '=', userId)
  await (open ? sessions.where('revoked_at', 'is', null) : sessions).execute()
  await deleteFactors(db, userId)
  await deleteIdentities(db, userId)
  await deleteTokens(db, userId)
  const links = db.deleteFrom('account_tokens').where('user_id', '=', userId)
  await (open ? links.where('used_at', 'is', null) : links).execute()
}

export async function isErased(db: DbOrTx, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('erased_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** When two administrators leave at once, one must stay. */
async function refuseLast(tx: Tx, userId: string): Promise<void> {
  const others = (await lockAdministrators(tx)).filter((id) => id !== userId)
  if (others.length === 0) throw conflict('lastAdministrator')
}
