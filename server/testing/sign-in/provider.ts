/**
 * A real OpenID Connect provider on the loopback that signs in its only user without asking. A proxy in front of
 * it simulates hanging, invalid tokens and errors.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  createServer,
  request as ask,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
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
  const inner = createServer()
  const outer = createServer()
  await listen(outer)
  await listen(inner)
  const issuer = `http://127.0.0.1:${portOf(outer)}`
  const state: Pick<TestProvider, 'person' | 'misdeed' | 'logoutAddress'> = {
    person: { sub: 'p1' },
    misdeed: 'none',
    logoutAddress: null,
  }
  let asked = 0
  const provider = openProvider(issuer, jwk, state)
  const answer = provider.callback()
  inner.on('request', (incoming, outgoing) => {
    if (incoming.url?.startsWith('/interaction/') === true)
      void interact(provider, state, incoming, outgoing)
    else void answer(incoming, outgoing)
  })
  outer.on('request', (incoming, outgoing) => {
    const path = incoming.url ?? '/'
    if (path.startsWith('/token')) asked += 1
    if (state.misdeed === 'hangs' || (state.misdeed === 'hangsAtToken' && path === '/token')) return
    if (state.misdeed === 'fails') return void outgoing.writeHead(500).end('{}')
    forward(portOf(inner), incoming, outgoing, async (text) => {
      const { misdeed } = state
      if (misdeed === 'isLong') return `{"x":"${'y'.repeat(700_000)}"}`
      if (path.startsWith('/.well-known') && misdeed === 'wrongIssuer')
        return text.replaceAll(issuer, 'http://127.0.0.1:1')
      if (path.startsWith('/me') && misdeed === 'otherSubject')
        return text.replace(/"sub":"/, '"sub":"x')
      if (path.startsWith('/token'))
        return misuse(text, misdeed, keys.privateKey, foreign.privateKey)
      return text
    })
  })
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
      for (const server of [outer, inner]) {
        server.closeAllConnections()
        server.close()
        await once(server, 'close')
      }
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
async function misuse(text: string, misdeed: Misdeed, key: Key, foreign: Key): Promise<string> {
  const answer: unknown = JSON.parse(text)
  if (typeof answer !== 'object' || answer === null || !('id_token' in answer)) return text
  const [, middle = ''] = String(answer.id_token).split('.')
  const claims = JSON.parse(Buffer.from(middle, 'base64url').toString()) as JWTPayload
  const write = async (change: JWTPayload, by = key) =>
    JSON.stringify({
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
      return JSON.stringify({ ...answer, id_token: `${header}.${middle}.` })
    }
    default:
      return text
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

function forward(
  port: number,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  change: (text: string) => Promise<string>,
): void {
  const { method = 'GET', url = '/', headers } = incoming
  const sent = ask({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
    const pieces: Buffer[] = []
    answer.on('data', (piece: Buffer) => pieces.push(piece))
    answer.on('end', () => {
      void change(Buffer.concat(pieces).toString()).then((text) => {
        const { 'content-length': _length, 'transfer-encoding': _coding, ...kept } = answer.headers
        outgoing.writeHead(answer.statusCode ?? 502, kept).end(text)
      })
    })
  })
  sent.on('error', () => outgoing.destroy())
  incoming.pipe(sent)
}

async function listen(server: Server): Promise<void> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port
