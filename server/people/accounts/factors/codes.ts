import { hashRecoveryCode } from '#server/people/accounts/factors/recovery.ts'
import type { Sealing } from '#server/people/accounts/factors/sealing.ts'
import { findTotp, takeRecoveryCode, takeStep } from '#server/people/accounts/factors/store.ts'
import { stepOf } from '#server/people/accounts/factors/totp.ts'
import { lockIdentity, mailAddressOf } from '#server/people/accounts/identity.ts'
import { mailFactor } from '#server/people/accounts/mails/notices.ts'
import { SIGN_IN_REFUSED } from '#server/people/accounts/sessions/sessions.ts'
import type { Throttle } from '#server/people/accounts/throttle.ts'
import type { Db } from '#server/platform/db/connect.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { Refusal } from '#server/kernel/errors.ts'
import type { Log } from '#server/kernel/log.ts'

export interface CodeNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly throttle: Throttle
  readonly sealing: Sealing
}

export interface CodeAsker {
  readonly userId: string
  /**
   * A device on which the person has signed in, or one of their sessions, which has a count of its own; otherwise
   * null.
   */
  readonly known: string | null
}

/**
 * Accepts each code of the app and each recovery code once. Guesses count for the person, regardless of address
 * and node, so that somebody who knows the password can't try all codes.
 * @param status 401 at the sign-in; 400 for a session, which a wrong code doesn't end
 * @throws Refusal of that status at `code` when it is missing, wrong or used; 429 after failures
 */
export async function requireCode(
  needs: CodeNeeds,
  asker: CodeAsker,
  code: string | undefined,
  status: 400 | 401,
): Promise<void> {
  if (code === undefined || code === '') {
    // The password was right, so this reveals nothing to strangers.
    const hasApp = (await findTotp(needs.db, asker.userId, true)) !== undefined
    const asked = hasApp ? 'codeNeeded' : 'codeOrPasskeyNeeded'
    throw new Refusal(status, asked, { fields: { code: asked } })
  }
  const { throttle, log } = needs
  const attempt = { factorOf: asker.userId, known: asker.known }
  await throttle.beginAttempt(attempt)
  if (asker.known === null) await throttle.countHourly('code', asker.userId)
  if (
    !(await takeTotp(needs, asker.userId, code)) &&
    !(await takeRecovery(needs, asker.userId, code))
  ) {
    const by = 'code'
    log.warn({ person: asker.userId, by }, status === 401 ? SIGN_IN_REFUSED : 'a code was refused')
    throw new Refusal(status, 'codeWrong', { fields: { code: 'codeWrong' } })
  }
  await throttle.endAttempt(attempt)
}

async function takeTotp(
  { db, clock, log, sealing }: CodeNeeds,
  userId: string,
  code: string,
): Promise<boolean> {
  const stored = await findTotp(db, userId, true)
  if (stored === undefined) return false
  const opened = sealing.open(stored.sealed, userId)
  if (opened === null) {
    log.error(
      'The key that encrypts the secrets of authenticator apps is not among AUTH_SECRETS (or is not that of DATA_DIR) any more: ' +
        'put it back behind the first, else people with an app sign in by recovery codes alone.',
    )
    return false
  }
  const step = stepOf(opened.secret, code, clock.now())
  if (step === null) return false
  return takeStep(db, userId, step, opened.isOld ? sealing.seal(opened.secret, userId) : null)
}

/** Announces the use by mail, because somebody else may have found the paper. */
async function takeRecovery(
  { db, clock }: CodeNeeds,
  userId: string,
  code: string,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const person = await lockIdentity(tx, userId)
    if (person === null || !(await takeRecoveryCode(tx, userId, hashRecoveryCode(code))))
      return false
    const to = { userId, person, address: mailAddressOf(person) }
    await mailFactor(tx, 'recovered', to, clock.now())
    return true
  })
}
