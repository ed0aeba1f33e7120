import { editedUsernameLength } from '#contract/accounts.ts'
import type { ProfileEdit } from '#contract/profiles.ts'
import { FORMER_NAME_DAYS, USERNAME_EDIT } from '#contract/limits.ts'
import { fits } from '#contract/measure.ts'
import {
  countFormerNames,
  exchangeName,
  findTaken,
  takenFields,
  foldEmail,
  lockClaims,
  type Claim,
} from '#server/people/accounts/claims.ts'
import { followAddress } from '#server/people/accounts/mails/email.ts'
import type { SecretOf } from '#server/people/accounts/mails/links.ts'
import { lockIdentity, writeIdentity, type Identity } from '#server/people/accounts/identity.ts'
import { verifyPassword } from '#server/people/accounts/passwords.ts'
import { findEmail, findPasswordHash } from '#server/people/accounts/store.ts'
import type { Throttle } from '#server/people/accounts/throttle.ts'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { exchangePicture } from '#server/platform/files/picture-life.ts'
import type { StorePicture } from '#server/platform/core/core.ts'
import { refuseUnconfirmed, type Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { invalid, invalidField, taken, unauthorized } from '#server/kernel/errors.ts'
import { foldCase, skeleton } from '#server/kernel/text/fold.ts'

/** Names one person may reserve. Without a limit, people could collect names by renaming. */
const MOST_FORMER_NAMES = 20

export interface EditNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly throttle: Throttle
  readonly storePicture: StorePicture
  readonly secretOf: SecretOf
}

/**
 * Edits the caller's profile. `whole` (POST and PUT) requires name and address; otherwise absent fields stay
 * unchanged. Returns whether others see a change in name or picture.
 * @throws Refusal 400 at the fields, 409 at those that are taken; 413 for the picture; 429 after wrong passwords,
 * and after 5 new addresses an hour
 */
export async function editProfile(
  needs: EditNeeds,
  viewer: Viewer,
  edit: ProfileEdit,
  { whole }: { whole: boolean },
): Promise<{ seen: boolean }> {
  const { db, clock, storePicture } = needs
  if (whole) refuseGaps(edit)
  if (edit.password !== undefined && edit.password !== '')
    await checkPassword(needs, viewer, edit.password)
  const wanted = { username: edit.username ?? viewer.username, email: edit.email }
  // Checked before the picture is stored, which is the most expensive step.
  refuseShort(viewer.username, wanted.username)
  await refuseTaken(db, viewer, wanted, clock.now())
  await countAddress(needs, viewer, edit.email)
  const picture = edit.image === undefined ? null : await storePicture(edit.image, viewer.id)
  const pictureId = picture?.pictureId ?? null
  const renamed = await db
    .transaction()
    .execute((tx) => save(tx, needs, viewer, { ...edit, pictureId }))
  return { seen: renamed || picture !== null }
}

/** @throws Refusal 400 for fields that a whole edit lacks */
function refuseGaps({ username, email }: ProfileEdit): void {
  if (username !== undefined && email !== undefined) return
  throw invalid({
    ...(username === undefined && { username: 'usernameValMsg' }),
    ...(email === undefined && { email: 'provideEmail' }),
  })
}

/** Failures count together with those of password changes in this session. */
async function checkPassword(
  { db, throttle }: EditNeeds,
  viewer: Viewer,
  password: string,
): Promise<void> {
  const attempt = { session: viewer.sessionId }
  await throttle.beginAttempt(attempt)
  if (
    !(await verifyPassword(await findPasswordHash(db, viewer.id), password, {
      known: viewer.sessionId,
    }))
  )
    throw invalidField('password', 'passwordWrong')
  await throttle.endAttempt(attempt)
}

/** Accepts a name that only changes its case, because its length was checked before. */
function refuseShort(before: string, after: string): void {
  if (foldCase(before) === foldCase(after) || fits(after, USERNAME_EDIT)) return
  throw invalid({ username: editedUsernameLength })
}

/** A new address receives a mail, even if it belongs to somebody else. @throws Refusal 403 `confirmFirst`, 429 */
async function countAddress(
  { db, throttle }: EditNeeds,
  viewer: Viewer,
  email: string | undefined,
): Promise<void> {
  if (email === undefined) return
  const stored = await findEmail(db, viewer.id)
  if (stored === undefined || foldEmail(stored) === foldEmail(email)) return
  refuseUnconfirmed(viewer)
  await throttle.countHourly('address', viewer.id)
}

async function refuseTaken(
  db: DbOrTx,
  viewer: Viewer,
  { username, email }: { username: string; email: string | undefined },
  now: Date,
): Promise<void> {
  const claimed = await findTaken(db, { username, email: email ?? '' }, viewer.id, now)
  if (claimed.username || claimed.email) throw taken(takenFields(claimed))
}

/** Returns true if the name changed. */
async function save(
  tx: Tx,
  { clock, secretOf }: EditNeeds,
  viewer: Viewer,
  edit: ProfileEdit & { readonly pictureId: number | null },
): Promise<boolean> {
  const now = clock.now()
  const stored = await lockIdentity(tx, viewer.id)
  if (stored === null) throw unauthorized()
  const wanted = {
    username: edit.username ?? stored.username,
    email: edit.email ?? stored.email,
    hideEmail: edit.hideEmail ?? stored.hideEmail,
    notices: edit.notices ?? stored.notices,
    about: edit.about === undefined ? stored.about : edit.about || null,
    pageHidden: edit.publicPage === undefined ? stored.pageHidden : !edit.publicPage,
    pictureId: edit.pictureId,
  }
  refuseShort(stored.username, wanted.username)
  await claim(tx, viewer, stored, wanted, now)
  await writeIdentity(tx, viewer.id, wanted, stored)
  const { pictureId: before } = stored
  const after = wanted.pictureId ?? before
  await exchangePicture(tx, { before, after, ownerId: viewer.id, as: 'face' })
  const change = { userId: viewer.id, before: stored, email: wanted.email }
  await followAddress(tx, secretOf, change, now)
  return wanted.username !== stored.username
}

async function claim(
  tx: Tx,
  viewer: Viewer,
  stored: Identity,
  wanted: Claim,
  now: Date,
): Promise<void> {
  if (stored.username === wanted.username && stored.email === wanted.email) return
  await lockClaims(tx, [stored, wanted])
  await refuseTaken(tx, viewer, wanted, now)
  if (skeleton(stored.username) === skeleton(wanted.username)) return
  await exchangeName(tx, viewer.id, { before: stored.username, after: wanted.username }, now)
  if ((await countFormerNames(tx, viewer.id, now)) > MOST_FORMER_NAMES)
    throw invalidField('username', 'usernameTooOften', { days: FORMER_NAME_DAYS })
}
