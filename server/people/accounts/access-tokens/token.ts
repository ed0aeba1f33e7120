/**
 * An access token is `kbp_`, thirty random characters and a checksum of six. Scanners for leaked secrets can
 * recognize it, and malformed tokens are refused without a query.
 */
import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { TOKEN_PREFIX } from '#contract/access-tokens.ts'

const SIGNS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 178 bits. */
const RANDOM_LENGTH = 30
/** 62^6 > 2^32. */
const CHECKSUM_LENGTH = 6
const TOKEN = /^(kbp_[0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

export function newAccessToken(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => SIGNS[randomInt(SIGNS.length)])
  const body = TOKEN_PREFIX + random.join('')
  return body + checksumOf(body)
}

/** Returns true for anything with our prefix, well-formed or not. */
export const claimsToBeToken = (bearer: string): boolean => bearer.startsWith(TOKEN_PREFIX)

/** Checks form and checksum. */
export function isWellFormed(token: string): boolean {
  const [, body = '', checksum] = TOKEN.exec(token) ?? []
  return checksum !== undefined && checksumOf(body) === checksum
}

const CALLER = /^token:(\d{1,15})$/

/** Returns what replaces the session id for a token: in throttles, on the bus, at the hub. */
export const callerOfToken = (id: number): string => `token:${id}`

/** Returns the token's id, or null for the id of a session. */
export function tokenOfCaller(caller: string): number | null {
  const [, id] = CALLER.exec(caller) ?? []
  return id === undefined ? null : Number(id)
}

/** A fast hash suffices because the tokens are random. */
export function hashAccessToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function checksumOf(body: string): string {
  let remainder = crc32(body)
  let signs = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    signs = (SIGNS[remainder % SIGNS.length] ?? '') + signs
    remainder = Math.floor(remainder / SIGNS.length)
  }
  return signs
}
