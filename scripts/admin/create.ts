/** Creates the account of an administrator who has not registered, on a new site. */
import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { Email, Username } from '#contract/accounts.ts'
import { foldEmail } from '#server/people/accounts/claims.ts'
import { hashPassword } from '#server/people/accounts/passwords.ts'
import { findCredentials, findEmail, insertUser, setRole } from '#server/people/accounts/store.ts'
import { welcomePerson } from '#server/people/points/ledger.ts'
import { record } from '#server/platform/events/outbox.ts'
import type { Db } from '#server/platform/db/connect.ts'
import type { Config } from '#server/kernel/config.ts'
import { newId } from '#server/kernel/ids.ts'
import { resolveSettings } from '#server/kernel/settings/site-settings.ts'
import { readStoredSettings } from '#server/platform/core/settings.ts'
import { Failure } from '#scripts/status.mjs'

const Person = z.object({ username: Username, email: Email })

/** Returns true if the account is new, which then has no password yet. @throws Failure for a wrong name or address */
export async function createAdministrator(
  db: Db,
  config: Pick<Config, 'settings'>,
  given: { readonly username: string; readonly email: string },
): Promise<boolean> {
  const there = await findCredentials(db, given.username)
  if (there !== undefined) {
    // On a new site anybody may have registered that name first.
    if (foldEmail((await findEmail(db, there.id)) ?? '') !== foldEmail(given.email))
      throw new Failure(
        `${given.username} is somebody with another e-mail address. npm run admin -- grant ${given.username} makes that person an administrator.`,
      )
    await setRole(db, given.username, 'administrator')
    return false
  }
  const { data: person } = Person.safeParse(given)
  if (person === undefined)
    throw new Failure(
      `"${given.username}" with "${given.email}" can't have an account: a username has 3 characters or more and no spaces, and the address must be one that mails reach.`,
    )
  const passwordHash = await hashPassword(randomBytes(32).toString('base64url'), 'admin')
  const { texts } = await readStoredSettings(db)
  const { WELCOME_POINTS } = resolveSettings(config.settings, texts).settings
  const now = new Date()
  const id = newId(now.getTime())
  const isNew = await db.transaction().execute(async (tx) => {
    const user = { ...person, id, passwordHash, hideEmail: true, pictureId: null, now }
    if (!(await insertUser(tx, { ...user, locale: 'en' }))) return false
    await welcomePerson(tx, id, WELCOME_POINTS, now)
    await record(tx, { type: 'user.registered', userId: id }, now)
    return true
  })
  if (!isNew) throw new Failure(`${person.email} belongs to another account.`)
  await setRole(db, person.username, 'administrator')
  return true
}
