/**
 * The cookie that binds a sign-in by a provider to the browser that began it. It holds a random secret with our
 * signature; the database holds its hash, and `state`, which the provider sees, is derived from it.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { cookieName } from '#server/people/accounts/sessions/cookie.ts'
import { deriveKey } from '#server/people/accounts/sessions/tokens.ts'
import type { CallContext } from '#server/kernel/call.ts'
import type { Secrets } from '#server/kernel/keys.ts'

/** The time for a sign-in and the questions afterwards, in ms. */
export const FLOW_MS = 15 * 60 * 1000
const VALUE = /^([\w-]{43})\.([\w-]{43})$/

export interface Flow {
  /** The hash by which the database finds it. */
  readonly id: Buffer
  readonly state: string
}

export interface FlowCookies {
  /** Begins a flow in the calling browser and replaces an earlier one. */
  begin(context: Pick<CallContext, 'setHeader'>): Flow
  /** Returns the calling browser's flow, or null without a valid cookie. */
  read(cookies: CallContext['cookies']): Flow | null
  end(context: Pick<CallContext, 'setHeader'>): void
}

/** The cookie is secure if the public address is. */
export function createFlowCookies(secrets: Secrets, publicUrl: string): FlowCookies {
  const keys = secrets.map((secret) => deriveKey(secret, 'openid connect'))
  const [first = deriveKey(secrets[0], 'openid connect')] = keys
  const name = `${cookieName(publicUrl)}-oidc`
  const secure = name.startsWith('__Host-') ? '; Secure' : ''
  const mac = (key: Uint8Array, text: string) =>
    createHmac('sha256', key).update(text).digest('base64url')
  const flowOf = (secret: string, key: Uint8Array): Flow => ({
    id: createHash('sha256').update(secret).digest(),
    state: mac(key, `state ${secret}`),
  })
  const write = (context: Pick<CallContext, 'setHeader'>, value: string, seconds: number) =>
    context.setHeader(
      'set-cookie',
      // Lax, because the browser comes back from the provider by a link.
      `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
    )
  return {
    begin: (context) => {
      const secret = randomBytes(32).toString('base64url')
      write(context, `${secret}.${mac(first, `cookie ${secret}`)}`, FLOW_MS / 1000)
      return flowOf(secret, first)
    },
    read: (cookies) => {
      const [, secret, seal] = VALUE.exec(cookies[name] ?? '') ?? []
      if (secret === undefined || seal === undefined) return null
      const key = keys.find((each) => isSame(mac(each, `cookie ${secret}`), seal))
      return key === undefined ? null : flowOf(secret, key)
    },
    end: (context) => write(context, '', 0),
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
