import type { PasswordReset } from '#contract/accounts.ts'
import * as z from 'zod/mini'
import { lockIdentity, mailAddressOf } from '#server/people/accounts/identity.ts'
import {
  countMailedResets,
  endLinks,
  findLinkHolder,
  linkInvalid,
  spendLink,
  type SecretOf,
} from '#server/people/accounts/mails/links.ts'
import { mailLink, mailNewPassword } from '#server/people/accounts/mails/notices.ts'
import { networkOf } from '#server/kernel/network.ts'
import { hashPassword, isCommonPassword } from '#server/people/accounts/passwords.ts'
import { revokeOtherSessions } from '#server/people/accounts/sessions/sessions.ts'
import { findByMailAddress, writePasswordHash } from '#server/people/accounts/store.ts'
import type { Throttle } from '#server/people/accounts/throttle.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { jobKind, type JobHandler } from '#server/platform/jobs/job.ts'
import { addJobLater } from '#server/platform/jobs/queue.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'
import { invalidField } from '#server/kernel/errors.ts'
import { foldCase } from '#server/kernel/text/fold.ts'
import { newId } from '#server/kernel/ids.ts'

const OfPerson = z.object({ id: z.string() })
export const MAIL_RESET = jobKind('mailReset', OfPerson)
/** Resets mailed to one person within an hour. */
const MOST_MAILED = 3

interface Needs {
  readonly db: Db
  readonly clock: Clock
  readonly throttle: Throttle
}

/**
 * Runs the same statements and returns the same for known and unknown addresses: only the job finds out that
 * nobody has the id that stands for an unknown one.
 * @throws Refusal 429 above 5 an hour from one network
 */
export async function askReset(
  { db, clock, throttle }: Needs,
  email: string,
  callerAddress: string,
): Promise<void> {
  await throttle.countHourly('forgot', callerAddress)
  const id = (await findByMailAddress(db, email)) ?? newId(clock.now().getTime())
  await addJobLater(db, MAIL_RESET, { id })
}

/** Runs MAIL_RESET: mails a link, and silently none above 3 an hour. */
export function createResetMailer({
  db,
  clock,
  config,
  secretOf,
}: {
  readonly db: Db
  readonly clock: Clock
  readonly config: Pick<Config, 'RATE_LIMITS'>
  readonly secretOf: SecretOf
}): JobHandler<z.output<typeof OfPerson>> {
  return async ({ id: userId }) => {
    await db.transaction().execute(async (tx) => {
      const person = await lockIdentity(tx, userId)
      if (person === null) return
      const now = clock.now()
      const mailed = await countMailedResets(tx, userId, now)
      if (config.RATE_LIMITS === 'on' && mailed >= MOST_MAILED) return
      const address = mailAddressOf(person)
      await mailLink(tx, secretOf, 'reset', { userId, person, address }, now)
    })
  }
}

/**
 * Sets a new password by a link and ends all sessions. A pending change of the address needs a new link to be
 * confirmed, because somebody who took the account over may have the old one. Returns the id of the account.
 * @throws Refusal 400 at the password or the token
 */
export async function resetPassword(
  { db, clock, throttle }: Needs,
  { token, password }: z.output<typeof PasswordReset>,
  callerAddress: string,
): Promise<string> {
  if (isCommonPassword(password)) throw invalidField('password', 'passwordCommon')
  // Checks the link first, because hashing is expensive.
  if ((await findLinkHolder(db, 'reset', token, clock.now())) === null) throw linkInvalid()
  const hash = await hashPassword(password, networkOf(callerAddress))
  const now = clock.now()
  const changed = await spendLink(db, 'reset', token, now, async (tx, { userId, person }) => {
    await writePasswordHash(tx, userId, hash)
    await revokeOtherSessions(tx, userId, null, now)
    const isChanging = person.previousEmail !== null
    await endLinks(tx, userId, isChanging ? ['reset', 'confirm'] : ['reset'], now)
    await mailNewPassword(tx, { userId, person, address: mailAddressOf(person) }, now)
    return { userId, account: foldCase(person.username) }
  })
  await throttle.forgetFailures(changed.account)
  return changed.userId
}
