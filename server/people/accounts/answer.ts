/** Builds what register, login and refresh return. */
import type { Session } from '#contract/accounts.ts'
import { FORMER_FACE, FORMER_ID, isFormerMember } from '#contract/former-member.ts'
import type { ProfileCard } from '#contract/profile-card.ts'
import { restrictionOf, type FactorSettings } from '#server/people/accounts/factors/demand.ts'
import type { Tokens } from '#server/people/accounts/sessions/tokens.ts'
import { findForSession } from '#server/people/accounts/store.ts'
import type { DbOrTx } from '#server/platform/db/connect.ts'
import { pictureUrl } from '#server/platform/files/pictures.ts'
import { unauthorized } from '#server/kernel/errors.ts'

/** Returns the URL of a person's picture for `pictures.key`, or of a generated one. */
export function personImage(userId: string, pictureKey: string | null): string {
  return pictureKey === null ? `/art/avatar/${userId}.svg` : pictureUrl(pictureKey, 320)
}

/** Hides id and picture of somebody who erased their account. */
export function shownPerson(id: string, name: string, pictureKey: string | null): ProfileCard {
  return isFormerMember(name)
    ? { id: FORMER_ID, userName: name, imageUrl: FORMER_FACE }
    : { id, userName: name, imageUrl: personImage(id, pictureKey) }
}

interface SessionNeeds {
  readonly db: DbOrTx
  readonly tokens: Tokens
  readonly config: FactorSettings
}

/** @throws Refusal 401 when the person is gone */
export async function sessionAnswer(
  { db, tokens, config }: SessionNeeds,
  userId: string,
  sessionId: string,
): Promise<Session> {
  const person = await findForSession(db, userId)
  if (person === undefined) throw unauthorized()
  return {
    accessToken: await tokens.signAccess(userId, sessionId),
    _id: userId,
    username: person.username,
    email: person.email,
    kbPoints: person.kb_points,
    role: person.role === 'administrator' ? 'administrator' : 'user',
    imageUrl: personImage(userId, person.picture_key),
    ...(restrictionOf(config, person) === 'all' && { factorless: true }),
    ...(person.suspended_at !== null && { suspended: true }),
  }
}
