/**
 * A real OpenID Connect provider on the loopback that signs in its only user without asking. It can hang, fail, and
 * issue invalid tokens.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import Provider, { type Configuration } from 'oidc-provider'

export interface ProviderPerson {
  sub: string
  email?: string | undefined
  email_verified?: boolean | undefined
  preferred_username?: string | undefined
}

/** Deviations from an honest provider. */
export type Misdeed =
  | 'none'
  | 'denies'
  | 'hangs'
  | 'hangsAtToken'
  | 'fails'
  | 'isLong'
  | 'wrongIssuer'
  | 'wrongTokenIssuer'
  | 'wrongNonce'
  | 'wrongAudience'
  | 'wrongKey'
  | 'unsigned'
  | 'endedToken'
  | 'otherSubject'

export interface TestProvider {
  readonly issuer: string
  readonly settings: Readonly<Record<string, string>>
  person: ProviderPerson
  misdeed: Misdeed
  /** Number of requests to its token endpoint. */
  readonly asked: () => number
  /** Where it sends back-channel logouts, or null. */
  logoutAddress: string | null
  /** Creates a logout token, possibly with wrong claims, header or key. Undefined removes a claim. */
  logoutToken(claims: object, header?: object, by?: 'foreign' | 'secret' | 'none'): Promise<string>
  close(): Promise<void>
}

const OURS = /^http:\/\/(?:127\.0\.0\.1|localhost):\d+\/oidc\/callback\/\d$/
const CLIENT = { id: 'bazaar', secret: 'a secret of the tests, long enough to be one' }

/** Starts it for sites on this machine. @param setting prefix of the provider's settings */
export async function startProvider(setting = 'OIDC'): Promise<TestProvider> {
  const keys = await generateKeyPair('RS256', { extractable: true })
  const foreign = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(keys.privateKey)), kid: 'k', use: 'sig', alg: 'RS256' }
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const state: Pick<TestProvider, 'person' | 'misdeed' | 'logoutAddress'> = {
    person: { sub: 'p1' },
    misdeed: 'none',
    logoutAddress: null,
  }
  let asked = 0
  const provider = openProvider(issuer, jwk, state)
  provider.use(async (context, next) => {
    const { path } = context
    if (path === '/token') asked += 1
    if (state.misdeed === 'hangs' || (state.misdeed === 'hangsAtToken' && path === '/token')) {
      context.respond = false
      return
    }
    if (state.misdeed === 'fails') {
      context.status = 500
      context.body = '{}'
      return
    }
    if (path.startsWith('/interaction/')) {
      context.respond = false
      await interact(provider, state, context.req, context.res)
      return
    }
    await next()
    const { misdeed } = state
    if (misdeed === 'isLong') context.body = `{"x":"${'y'.repeat(700_000)}"}`
    if (path.startsWith('/.well-known') && misdeed === 'wrongIssuer')
      context.body = JSON.stringify(context.body).replaceAll(issuer, 'http://127.0.0.1:1')
    if (path === '/me' && misdeed === 'otherSubject')
      context.body = JSON.stringify(context.body).replace(/"sub":"/, '"sub":"x')
    if (path === '/token')
      context.body = await misuse(context.body, misdeed, keys.privateKey, foreign.privateKey)
  })
  server.on('request', provider.callback())
  return Object.assign(state, {
    issuer,
    settings: {
      [`${setting}_ISSUER`]: issuer,
      [`${setting}_CLIENT_ID`]: CLIENT.id,
      [`${setting}_CLIENT_SECRET`]: CLIENT.secret,
      [`${setting}_NAME`]: 'Example House',
    },
    logoutToken: (claims: object, header?: object, by?: 'foreign' | 'secret' | 'none') =>
      writeLogoutToken(
        { iss: issuer, ...claims },
        header,
        {
          none: null,
          foreign: foreign.privateKey,
          secret: new TextEncoder().encode(CLIENT.secret),
          own: keys.privateKey,
        }[by ?? 'own'],
      ),
    asked: () => asked,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

function openProvider(
  issuer: string,
  jwk: object,
  state: Pick<TestProvider, 'person' | 'misdeed' | 'logoutAddress'>,
): Provider {
  const configuration: Configuration = {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        // The ports of the test sites are not known yet.
        redirect_uris: ['http://127.0.0.1:1/oidc/callback/1'],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        backchannel_logout_uri: 'http://127.0.0.1:1/oidc/logout/1',
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [{ kty: 'RSA', ...jwk }] },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['preferred_username'],
    },
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context, form) => void (context.body = form),
      },
    },
    // The default refuses private addresses, but test sites have no others.
    fetch: (_address, { method, headers, body } = {}) =>
      state.logoutAddress === null
        ? Promise.resolve(new Response())
        : fetch(state.logoutAddress, {
            ...(method !== undefined && { method }),
            ...(headers !== undefined && { headers }),
            body: body ?? null,
          }),
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    cookies: { keys: ['of the tests'] },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ ...state.person, sub }),
    }),
  }
  const provider = new Provider(issuer, configuration)
  provider.Client.prototype.redirectUriAllowed = (uri) => OURS.test(uri)
  provider.on('server_error', () => {})
  return provider
}

/** Signs its user in and grants what the site requests. */
async function interact(
  provider: Provider,
  { person, misdeed }: Pick<TestProvider, 'person' | 'misdeed'>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(incoming, outgoing)
  const options = { mergeWithLastSubmission: true }
  if (misdeed === 'denies') {
    const refused = { error: 'access_denied', error_description: 'no' }
    return provider.interactionFinished(incoming, outgoing, refused, options)
  }
  if (prompt.name === 'login') {
    const login = { login: { accountId: person.sub, remember: false } }
    return provider.interactionFinished(incoming, outgoing, login, options)
  }
  const accountId = session?.accountId ?? person.sub
  const grant = new provider.Grant({ accountId, clientId: String(params['client_id']) })
  grant.addOIDCScope('openid email profile')
  const consent = { consent: { grantId: await grant.save() } }
  return provider.interactionFinished(incoming, outgoing, consent, options)
}

type Key = Parameters<SignJWT['sign']>[0]

/** Returns the token endpoint's response with one error in the token. */
async function misuse(answer: unknown, misdeed: Misdeed, key: Key, foreign: Key) {
  if (typeof answer !== 'object' || answer === null || !('id_token' in answer)) return answer
  const [, middle = ''] = String(answer.id_token).split('.')
  const claims = JSON.parse(Buffer.from(middle, 'base64url').toString()) as JWTPayload
  const write = async (change: JWTPayload, by = key) => ({
    ...answer,
    id_token: await new SignJWT({ ...claims, ...change })
      .setProtectedHeader({ alg: 'RS256', kid: 'k' })
      .sign(by),
  })
  switch (misdeed) {
    case 'wrongTokenIssuer':
      return write({ iss: 'https://another.example' })
    case 'wrongNonce':
      return write({ nonce: 'of another sign-in' })
    case 'wrongAudience':
      return write({ aud: 'another site' })
    case 'endedToken':
      return write({ exp: Math.floor(Date.now() / 1000) - 3600 })
    case 'wrongKey':
      return write({}, foreign)
    case 'unsigned': {
      const header = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
      return { ...answer, id_token: `${header}.${middle}.` }
    }
    default:
      return answer
  }
}

/** A null key creates an unsigned token. */
async function writeLogoutToken(
  given: object,
  header: object = {},
  key: Key | null,
): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const claims = { aud: CLIENT.id, iat: now, exp: now + 120, jti: randomUUID(), events, ...given }
  if (key === null) {
    const parts = [{ alg: 'none', ...header }, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    )
    return `${parts.join('.')}.`
  }
  const alg = key instanceof Uint8Array ? 'HS256' : 'RS256'
  return new SignJWT(claims)
    .setProtectedHeader({ alg, kid: 'k', typ: 'logout+jwt', ...header })
    .sign(key)
}
