import type { Confirmation, Factors } from '#contract/factors.ts'
import type * as z from 'zod/mini'
import { requirePassword } from '#server/people/accounts/erasure.ts'
import { requiredBy, type FactorSettings } from '#server/people/accounts/factors/demand.ts'
import { requireCode, type CodeNeeds } from '#server/people/accounts/factors/codes.ts'
import { hashRecoveryCode, newRecoveryCodes } from '#server/people/accounts/factors/recovery.ts'
import {
  deleteFactors,
  deleteTotp,
  findFactors,
  findTotp,
  replaceRecoveryCodes,
  writeTotpConfirmed,
  writeTotpStart,
} from '#server/people/accounts/factors/store.ts'
import { newTotpSecret, stepOf, totpAddress } from '#server/people/accounts/factors/totp.ts'
import { lockIdentity, mailAddressOf, type Identity } from '#server/people/accounts/identity.ts'
import { mailFactor, type FactorNotice } from '#server/people/accounts/mails/notices.ts'
import { countPasskeys } from '#server/people/accounts/passkeys/store.ts'
import { confirmSession } from '#server/people/accounts/sessions/sessions.ts'
import { writeSecondFactor } from '#server/people/accounts/store.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { conflict, invalidField, unauthorized } from '#server/kernel/errors.ts'
import type { Current } from '#server/kernel/settings/site-settings.ts'

export interface FactorNeeds extends CodeNeeds {
  readonly config: FactorSettings
  readonly settings: Current<'names'>
}

/** @throws Refusal 401 when the account was closed meanwhile */
export async function showFactors({ db, config }: FactorNeeds, viewer: Viewer): Promise<Factors> {
  const found = await findFactors(db, viewer.id)
  if (found === undefined) throw unauthorized()
  const demanded = requiredBy(config, found.role)
  return {
    since: found.since?.toISOString() ?? null,
    app: found.app === true,
    passkeys: found.passkeys ?? 0,
    recoveryCodes: found.recoveryCodes ?? 0,
    hasPassword: found.passwordHash !== '',
    demanded: demanded !== null,
    demandedOf: demanded,
  }
}

/**
 * Creates the secret of an app. The sign-in asks for it only after its first code; starting again replaces the
 * secret.
 * @throws Refusal 400 at the password, 409 when there is an app already, 429 after failures
 */
export async function beginTotp(
  needs: FactorNeeds,
  viewer: Viewer,
  password: string | undefined,
): Promise<{ secret: string; address: string }> {
  const { db, clock, sealing, settings } = needs
  await requirePassword(needs, viewer, password)
  if ((await findTotp(db, viewer.id, true)) !== undefined) throw conflict('factorThere')
  const secret = newTotpSecret()
  await writeTotpStart(db, viewer.id, sealing.seal(secret, viewer.id), clock.now())
  return { secret, address: totpAddress(secret, settings.current.names.en.site, viewer.username) }
}

/**
 * Turns the second factor on with the app's first code. Returns the recovery codes, which are never shown again.
 * @throws Refusal 400 at the code, 409 when no setup was started, 429 after failures
 */
export async function finishTotp(
  { db, clock, sealing, throttle }: FactorNeeds,
  viewer: Viewer,
  code: string,
): Promise<string[]> {
  const attempt = { factorOf: viewer.id, known: viewer.sessionId }
  await throttle.beginAttempt(attempt)
  const { id } = viewer
  const now = clock.now()
  const started = await findTotp(db, id, false)
  const opened = started === undefined ? null : sealing.open(started.sealed, id)
  if (started === undefined || opened === null) throw conflict('factorNotBegun')
  const step = stepOf(opened.secret, code, now)
  if (step === null) throw invalidField('code', 'codeWrong')
  const codes = newRecoveryCodes()
  await db.transaction().execute(async (tx) => {
    const person = await lockPerson(tx, id)
    if (!(await writeTotpConfirmed(tx, id, started.sealed, step, now)))
      throw conflict('factorNotBegun')
    await replaceRecoveryCodes(tx, id, codes.map(hashRecoveryCode))
    const factors = await findFactors(tx, id)
    if (!factors?.since) await writeSecondFactor(tx, id, now)
    // The person has just given the password and a code.
    await confirmSession(tx, viewer.sessionId, now)
    await notify(tx, 'on', id, person, now)
  })
  await throttle.endAttempt(attempt)
  return codes
}

/**
 * Removes the app and mails a notice. Also removes the recovery codes, unless they also stand in for passkeys.
 * @throws Refusal 409 without an app
 */
export async function removeTotp({ db, clock }: FactorNeeds, viewer: Viewer): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    const person = await lockPerson(tx, viewer.id)
    if ((await findTotp(tx, viewer.id, true)) === undefined) throw conflict('factorNotBegun')
    const isLast = (await countPasskeys(tx, viewer.id)) === 0
    await (isLast ? forgetFactors(tx, viewer.id) : deleteTotp(tx, viewer.id))
    await notify(tx, isLast ? 'off' : 'appOff', viewer.id, person, now)
  })
}

/**
 * Removes app, passkeys and codes without confirmation: with the last factor, and for the command line. The person
 * must be locked.
 */
export async function forgetFactors(tx: Tx, userId: string): Promise<void> {
  await deleteFactors(tx, userId)
  await writeSecondFactor(tx, userId, null)
}

/** Returns new recovery codes and invalidates the old ones. @throws Refusal 409 without a second factor */
export async function renewRecoveryCodes({ db }: FactorNeeds, viewer: Viewer): Promise<string[]> {
  const codes = newRecoveryCodes()
  await db.transaction().execute(async (tx) => {
    await lockPerson(tx, viewer.id)
    const factors = await findFactors(tx, viewer.id)
    if (!factors?.since) throw conflict('factorNotBegun')
    await replaceRecoveryCodes(tx, viewer.id, codes.map(hashRecoveryCode))
  })
  return codes
}

/**
 * Records that the person gave the password in this session, and a code if they have a second factor.
 * @throws Refusal 400 at the password or the code, 429 after failures
 */
export async function confirmIdentity(
  needs: FactorNeeds,
  viewer: Viewer,
  { password, code }: z.output<typeof Confirmation>,
): Promise<void> {
  const { db, clock } = needs
  await requirePassword(needs, viewer, password)
  const factors = await findFactors(db, viewer.id)
  if (factors?.since)
    await requireCode(needs, { userId: viewer.id, known: viewer.sessionId }, code, 400)
  await confirmSession(db, viewer.sessionId, clock.now())
}

async function lockPerson(tx: Tx, userId: string): Promise<Identity> {
  const person = await lockIdentity(tx, userId)
  if (person === null) throw unauthorized()
  return person
}

async function notify(
  tx: Tx,
  what: FactorNotice,
  userId: string,
  person: Identity,
  now: Date,
): Promise<void> {
  await mailFactor(tx, what, { userId, person, address: mailAddressOf(person) }, now)
}
