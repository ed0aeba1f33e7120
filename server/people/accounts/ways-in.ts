/** The ways to sign in, and the rule that nobody loses their last one. */
import type { WaysIn } from '#contract/ways-in.ts'
import { hashOfToken } from '#server/people/accounts/door/door.ts'
import { findState } from '#server/people/accounts/door/store.ts'
import { countIdentities } from '#server/people/accounts/oidc/store.ts'
import { admitsPasskeys } from '#server/people/accounts/passkeys/ceremony.ts'
import { countPasskeys } from '#server/people/accounts/passkeys/store.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import type { Config } from '#server/kernel/config.ts'
import type { Core } from '#server/platform/core/core.ts'
import { conflict, forbidden } from '#server/kernel/errors.ts'
import { providersOf } from '#server/kernel/settings/oidc-settings.ts'

export async function listWaysIn(
  { db, clock, publicUrl, config, settings }: Core,
  invitation: string | undefined,
): Promise<WaysIn> {
  const { REGISTRATION, REGISTRATION_DOMAINS, INVITATIONS_BY_ALL } = settings.current
  const now = clock.now()
  return {
    door: REGISTRATION,
    domains: REGISTRATION === 'domain' ? REGISTRATION_DOMAINS : [],
    mayInvite: INVITATIONS_BY_ALL && REGISTRATION !== 'closed',
    invitation: invitation === undefined ? null : await findState(db, hashOfToken(invitation), now),
    password: config.PASSWORD_LOGIN === '1',
    passkeys: admitsPasskeys(publicUrl),
    providers: providersOf(config).map(({ id, name }) => ({ id, name })),
  }
}

/** @throws Refusal 403 where people sign in without passwords */
export function requirePasswordLogin({ PASSWORD_LOGIN }: Pick<Config, 'PASSWORD_LOGIN'>): void {
  if (PASSWORD_LOGIN === '0') throw forbidden('passwordLoginOff')
}

/**
 * Call it after removing a way to sign in from a locked person.
 * @throws Refusal 409 when no other is left
 */
export async function requireWayIn(
  tx: Tx,
  { userId, passwordHash }: { readonly userId: string; readonly passwordHash: string },
  config: Config,
): Promise<void> {
  if (config.PASSWORD_LOGIN === '1' && passwordHash !== '') return
  if ((await countPasskeys(tx, userId)) > 0) return
  const issuers = providersOf(config).map(({ issuer }) => issuer)
  if ((await countIdentities(tx, userId, issuers)) === 0) throw conflict('lastWayIn')
}
