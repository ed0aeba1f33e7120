/**
 * Talks to OpenID Connect providers: code flow with PKCE, state and nonce, checking the issuer and the token's
 * signature. Contacts a provider only when somebody signs in by it, so that a site starts without it.
 */
import type { Configuration } from 'openid-client'
import { isEmail, isUsername } from '#contract/accounts.ts'
import type { Core } from '#server/platform/core/core.ts'
import { fits } from '#contract/measure.ts'
import { EMAIL_LENGTH, USERNAME } from '#contract/limits.ts'
import { isLoopback } from '#server/kernel/loopback.ts'
import { providersOf, type ProviderSettings } from '#server/kernel/settings/oidc-settings.ts'
import {
  createKeySets,
  readLogoutToken,
  type Ended,
} from '#server/people/accounts/oidc/logout-token.ts'
import { readBounded } from '#server/people/accounts/oidc/bounded-answer.ts'

/** The callback must contain or prove these values. */
export interface FlowSecrets {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface Claims {
  readonly subject: string
  readonly email: string | null
  readonly emailVerified: boolean
  /** Shown to the person: the address, or else a name. */
  readonly label: string
  /** A valid username here, or empty. */
  readonly suggested: string
  /** The provider's id of its own session, for back-channel logout, or null. */
  readonly sid: string | null
}

/**
 * `away`: the provider didn't respond in time; `denied`: the person or the provider declined; `wrong`: its
 * response was invalid.
 */
export class ProviderFailure extends Error {
  readonly why: 'away' | 'denied' | 'wrong'
  constructor(why: ProviderFailure['why'], cause: unknown) {
    super(`the provider: ${why}`, { cause })
    this.why = why
  }
}

export interface Providers {
  readonly list: readonly ProviderSettings[]
  /**
   * Returns the provider's address at which the person signs in. `again` asks for a new sign-in even if there is a
   * session. @throws ProviderFailure
   */
  begin(provider: ProviderSettings, secrets: FlowSecrets): Promise<URL>
  /** Checks the callback at `url`. @throws ProviderFailure */
  finish(provider: ProviderSettings, url: URL, secrets: FlowSecrets): Promise<Claims>
  /** Reads which sessions a logout token ends. @throws ProviderFailure `wrong` for an invalid one */
  readLogout(provider: ProviderSettings, token: string): Promise<Ended>
}

/** Seconds for one request, and ms for all requests of one step. */
const QUESTION_SECONDS = 4
const STEP_MS = 9000
/** In ms; after that the metadata is fetched again. */
const FRESH_MS = 60 * 60 * 1000
const CLOCK_TOLERANCE_SECONDS = 60
const LONGEST_SUBJECT = 255
const LONGEST_LABEL = 200

/** Loaded with the first sign-in by a provider. */
const library = () => import('openid-client')

/** Returns the address to which a provider sends the browser back. */
export const callbackOf = (publicUrl: string, { id }: Pick<ProviderSettings, 'id'>): string =>
  `${publicUrl}/oidc/callback/${id}`

export function createProviders({
  config,
  publicUrl,
  log,
  clock,
}: Pick<Core, 'config' | 'publicUrl' | 'log' | 'clock'>): Providers {
  const keysAt = createKeySets()
  const known = new Map<number, { readonly found: Promise<Configuration>; readonly at: number }>()
  const discoverOnce = (provider: ProviderSettings): Promise<Configuration> => {
    const cached = known.get(provider.id)
    if (cached !== undefined && performance.now() - cached.at < FRESH_MS) return cached.found
    const found = discover(provider)
    known.set(provider.id, { found, at: performance.now() })
    // After a failure the next sign-in tries again.
    found.catch(() => known.delete(provider.id))
    return found
  }
  const inStep = async <Found>(
    provider: ProviderSettings,
    step: (configuration: Configuration) => Promise<Found>,
    kind: 'sign-in' | 'logout' = 'sign-in',
  ): Promise<Found> => {
    try {
      return await inTime(discoverOnce(provider).then(step))
    } catch (error) {
      const failure = toFailure(error)
      // Logs codes and messages of the library only, because a provider's response may contain tokens.
      if (failure.why !== 'denied')
        log.warn(
          { provider: provider.name, why: reasonOf(error) },
          `a ${kind} by ${provider.setting}_ISSUER failed`,
        )
      throw failure
    }
  }
  return {
    list: providersOf(config),
    readLogout: (provider, token) =>
      inStep(
        provider,
        async (configuration) => {
          const { jwks_uri: keys } = configuration.serverMetadata()
          if (keys === undefined) throw new Error('the provider names no keys')
          return readLogoutToken(token, provider, keysAt(keys), clock.now())
        },
        'logout',
      ),
    begin: (provider, { state, nonce, verifier }) =>
      inStep(provider, async (configuration) => {
        const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library()
        return buildAuthorizationUrl(configuration, {
          redirect_uri: callbackOf(publicUrl, provider),
          scope: 'openid email profile',
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          state,
          nonce,
        })
      }),
    finish: (provider, url, { state, nonce, verifier }) =>
      inStep(provider, async (configuration) => {
        const { authorizationCodeGrant, fetchUserInfo } = await library()
        const tokens = await authorizationCodeGrant(configuration, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (claims === undefined) throw new Error('there is no id_token')
        const asks =
          claims['email'] === undefined &&
          configuration.serverMetadata().userinfo_endpoint !== undefined
        const more = asks ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : {}
        return toClaims({ ...more, ...claims })
      }),
  }
}

async function discover(provider: ProviderSettings): Promise<Configuration> {
  const {
    allowInsecureRequests,
    clockTolerance,
    customFetch,
    discovery,
    enableNonRepudiationChecks,
  } = await library()
  const { issuer, clientId, clientSecret } = provider
  return discovery(
    new URL(issuer),
    clientId,
    { client_secret: clientSecret, [clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    undefined,
    {
      timeout: QUESTION_SECONDS,
      [customFetch]: readBounded,
      execute: [
        // Also checks the signature, not only that the token came over TLS.
        enableNonRepudiationChecks,
        ...(isLoopback(new URL(issuer).hostname) ? [allowInsecureRequests] : []),
      ],
    },
  )
}

function toClaims(claims: Readonly<Record<string, unknown>>): Claims {
  const textOf = (name: string, most: number): string => {
    const value = claims[name]
    return typeof value === 'string' && value.length <= most ? value.trim() : ''
  }
  const subject = textOf('sub', LONGEST_SUBJECT)
  if (subject === '') throw new Error('the subject is missing or too long')
  const email = textOf('email', EMAIL_LENGTH)
  const name = textOf('preferred_username', LONGEST_LABEL) || textOf('name', LONGEST_LABEL)
  const isAddress = isEmail(email)
  return {
    subject,
    email: isAddress ? email : null,
    // Accepts only the boolean: some providers send "true" as a string, and some send nothing.
    emailVerified: isAddress && claims['email_verified'] === true,
    label: isAddress ? email : name === '' ? subject : name,
    suggested: fits(name, USERNAME) && isUsername(name) ? name : '',
    sid: textOf('sid', LONGEST_SUBJECT) || null,
  }
}

async function inTime<Found>(step: Promise<Found>): Promise<Found> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new ProviderFailure('away', new Error('too slow'))),
    STEP_MS,
  )
  try {
    return await Promise.race([step, promise])
  } finally {
    clearTimeout(timer)
  }
}

function toFailure(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error
  const { code, status } = partsOf(error)
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') return new ProviderFailure('denied', error)
  const isAway = code === 'OAUTH_TIMEOUT' || status >= 500 || isNetwork(error)
  return new ProviderFailure(isAway ? 'away' : 'wrong', error)
}

/** Finds an error of `fetch`, however deeply the library has wrapped it. */
function isNetwork(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 3) return false
  if (['TimeoutError', 'AbortError'].includes(error.name)) return true
  if (error instanceof TypeError && error.message === 'fetch failed') return true
  return isNetwork(error.cause, depth + 1)
}

function partsOf(error: unknown): { code: string; status: number } {
  if (!(error instanceof Error)) return { code: '', status: 0 }
  const cause = error.cause
  const status = cause instanceof Response ? cause.status : 'status' in error ? error.status : 0
  return {
    code: 'code' in error && typeof error.code === 'string' ? error.code : '',
    status: typeof status === 'number' ? status : 0,
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof ProviderFailure) return reasonOf(error.cause)
  const { code } = partsOf(error)
  const message = error instanceof Error ? error.message : 'unknown'
  return code === '' ? message : `${code}: ${message}`
}
