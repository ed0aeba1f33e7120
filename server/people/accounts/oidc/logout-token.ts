/**
 * Verifies logout tokens, by which a provider announces that one of its sessions has ended (OpenID Connect
 * Back-Channel Logout 1.0, 2.4 and 2.6).
 */
import { createRemoteJWKSet, customFetch, jwtVerify, type JWTVerifyGetKey } from 'jose'
import * as z from 'zod'
import { readBounded } from '#server/people/accounts/oidc/bounded-answer.ts'
import type { ProviderSettings } from '#server/kernel/settings/oidc-settings.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Signatures by a key that only the provider has. Shared secrets and `none` can't sign a logout. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]
/** The specification recommends a lifetime of two minutes; older tokens are refused as replays. */
const OLDEST_SECONDS = 300
const CLOCK_TOLERANCE_SECONDS = 60
const QUESTION_MS = 4000
const Name = z.string().min(1).max(255).optional()
const LogoutClaims = z.object({
  jti: z.string().min(1).max(255),
  iat: z.number(),
  sub: Name,
  sid: Name,
  events: z.object({ [EVENT]: z.record(z.string(), z.unknown()) }),
  nonce: z.undefined().optional(),
})

/** The session with this `sid`, or all of the person's. At least one of the two is given. */
export interface Ended {
  readonly subject: string | null
  readonly sid: string | null
  /** When the provider ended it; sessions that began later continue. */
  readonly at: Date
}

/** Fetches the keys of a provider at first use, and again when a token has a new key. */
export function createKeySets(): (address: string) => JWTVerifyGetKey {
  const known = new Map<string, JWTVerifyGetKey>()
  return (address) => {
    const found =
      known.get(address) ??
      createRemoteJWKSet(new URL(address), {
        timeoutDuration: QUESTION_MS,
        [customFetch]: readBounded,
      })
    known.set(address, found)
    return found
  }
}

/** @throws an error of jose, or Error, for a token that is forged, for somebody else, old, or no logout token */
export async function readLogoutToken(
  token: string,
  { issuer, clientId }: Pick<ProviderSettings, 'issuer' | 'clientId'>,
  keys: JWTVerifyGetKey,
  now: Date,
): Promise<Ended> {
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    issuer,
    audience: clientId,
    algorithms: ALGORITHMS,
    currentDate: now,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    maxTokenAge: OLDEST_SECONDS,
    requiredClaims: ['iat', 'exp', 'jti', 'events'],
  })
  const { typ = 'JWT' } = protectedHeader
  // Tokens of other kinds, such as access tokens, are signed by the same key and state their kind here.
  if (!/^(?:application\/)?(?:logout\+jwt|jwt)$/i.test(typ)) throw new Error('its typ is another')
  // A token with a nonce is an ID token.
  const claims = LogoutClaims.safeParse(payload)
  if (!claims.success) throw new Error('its claims are not those of a logout token')
  const { sub = null, sid = null, iat } = claims.data
  if (sub === null && sid === null) throw new Error('it names neither a person nor a session')
  return { subject: sub, sid, at: new Date((iat + CLOCK_TOLERANCE_SECONDS) * 1000) }
}
