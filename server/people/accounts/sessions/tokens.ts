/**
 * The two tokens of a sign-in: the access token (a JWT that lasts minutes) and the refresh token in the cookie.
 * The latter is derived from the session's row, so no secret is stored and the same response can be given again.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { SESSION_DAYS } from '#contract/limits.ts'
import { BoundedMap } from '#server/kernel/bounded-map.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'

/** Role and suspension are never in the token. */
export interface Bearer {
  readonly userId: string
  readonly sessionId: string
}

/** One use of one session. */
export interface RefreshUse {
  readonly sessionId: string
  readonly generation: number
}

export interface Tokens {
  signAccess(userId: string, sessionId: string): Promise<string>
  /** Returns null for a forged or expired token; `late` also accepts one that expired in the last 30 days. */
  verifyAccess(token: string, late?: boolean): Promise<Bearer | null>
  refreshToken(sessionId: string, generation: number): string
  /** Returns null for a forged token. Only the session's row tells whether it is still valid. */
  readRefreshToken(token: string): RefreshUse | null
  /** Returns the seals of a device for a person: by the first secret, and by those that still verify. */
  deviceSeals(deviceId: string, userId: string): string[]
}

export interface TokenOptions {
  /** The first one signs; all of them verify. */
  readonly secrets: readonly string[]
  readonly accessMinutes: number
  readonly clock: Clock
}

interface TokenNeeds extends Pick<TokenOptions, 'secrets' | 'clock'> {
  readonly config: Pick<Config, 'ACCESS_TOKEN_MINUTES'>
}

/** Verified access tokens in memory; verifying a signature costs more than a lookup. */
const MOST_VERIFIED = 10_000
/** The lifetime of a session that nobody renews. */
const LATE_SECONDS = SESSION_DAYS * 24 * 60 * 60
const LONGEST_TOKEN = 1000
const SESSION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const REFRESH_TOKEN = /^([\w-]{22})\.([1-9]\d{0,9})\.([\w-]{43})$/

/** Derives a key of 256 bits for one purpose; keys of different purposes reveal nothing about each other. */
export function deriveKey(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, 'knowledge-bazaar', purpose, 32))
}

export function openTokens({ secrets, config, clock }: TokenNeeds): Tokens {
  return createTokens({ secrets, accessMinutes: config.ACCESS_TOKEN_MINUTES, clock })
}

/**
 * Signs with the first secret and verifies with all of them, so that a secret can be replaced without signing
 * anybody out.
 * @throws Error when there is no secret
 */
export function createTokens({ secrets, accessMinutes, clock }: TokenOptions): Tokens {
  const accessKeys = secrets.map((secret) => deriveKey(secret, 'access token'))
  const refreshKeys = secrets.map((secret) => deriveKey(secret, 'refresh token'))
  const deviceKeys = secrets.map((secret) => deriveKey(secret, 'device'))
  const [accessKey] = accessKeys
  const [refreshKey] = refreshKeys
  if (accessKey === undefined || refreshKey === undefined) throw new Error('no secret to sign with')
  const verified = new BoundedMap<string, { bearer: Bearer; expires: number }>({
    most: MOST_VERIFIED,
  })

  return {
    signAccess: (userId, sessionId) => {
      const seconds = clock.now().getTime() / 1000
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(userId)
        .setIssuedAt(Math.floor(seconds))
        .setExpirationTime(Math.ceil(seconds + accessMinutes * 60))
        .sign(accessKey)
    },
    verifyAccess: async (token, late = false) => {
      if (token.length > LONGEST_TOKEN) return null
      const now = clock.now()
      const known = verified.get(token)
      if (known !== undefined && known.expires > now.getTime()) return known.bearer
      verified.delete(token)
      for (const key of accessKeys) {
        const found = await verify(token, key, now, late)
        if (found === null) continue
        if (!late) verified.set(token, found)
        return found.bearer
      }
      return null
    },
    refreshToken: (sessionId, generation) => {
      const id = Buffer.from(sessionId.replaceAll('-', ''), 'hex').toString('base64url')
      return `${id}.${generation}.${macOf(refreshKey, id, generation).toString('base64url')}`
    },
    // 128 bits can't be guessed, and a cookie holds several of them.
    deviceSeals: (deviceId, userId) =>
      deviceKeys.map((key) =>
        createHmac('sha256', key).update(`${deviceId}.${userId}`).digest('base64url').slice(0, 22),
      ),
    readRefreshToken: (token) => {
      const [, id = '', count = '', mac = ''] = REFRESH_TOKEN.exec(token) ?? []
      const given = Buffer.from(mac, 'base64url')
      const generation = Number(count)
      const isOurs = refreshKeys.some((key) => {
        const expected = macOf(key, id, generation)
        return given.length === expected.length && timingSafeEqual(given, expected)
      })
      return isOurs ? { sessionId: toUuid(id), generation } : null
    },
  }
}

async function verify(token: string, key: Uint8Array, now: Date, late: boolean) {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      currentDate: now,
      clockTolerance: late ? LATE_SECONDS : 0,
    })
    const { sub, sid, exp } = payload
    if (sub === undefined || typeof sid !== 'string' || exp === undefined) return null
    // The statement that looks for the session would fail for a malformed id.
    if (!SESSION_ID.test(sid)) return null
    return { bearer: { userId: sub, sessionId: sid }, expires: exp * 1000 }
  } catch {
    return null
  }
}

function macOf(key: Uint8Array, id: string, generation: number): Buffer {
  return createHmac('sha256', key).update(`${id}.${generation}`).digest()
}

function toUuid(id: string): string {
  const hex = Buffer.from(id, 'base64url').toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
