/**
 * What an access token looks like: `kbp_`, thirty random characters and a checksum of six. Whoever scans texts for
 * leaked secrets knows one by its look, and what is no token is refused without asking the database.
 */
import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { TOKEN_PREFIX } from '#contract/access-tokens.ts'

const SIGNS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 178 bits. */
const RANDOM_LENGTH = 30
/** 62 to the sixth is more than 2 to the 32nd. */
const CHECKSUM_LENGTH = 6
const TOKEN = /^(kbp_[0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

/** A new token, to be shown once. */
export function newAccessToken(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => SIGNS[randomInt(SIGNS.length)])
  const body = TOKEN_PREFIX + random.join('')
  return body + checksumOf(body)
}

/** Whether a bearer claims to be one of ours, well-formed or not. */
export const claimsToBeToken = (bearer: string): boolean => bearer.startsWith(TOKEN_PREFIX)

/** Whether it may have been made by us, by its form and checksum. */
export function isWellFormed(token: string): boolean {
  const [, body = '', checksum] = TOKEN.exec(token) ?? []
  return checksum !== undefined && checksumOf(body) === checksum
}

const CALLER = /^token:(\d{1,15})$/

/** What stands for a token where a session's id stands for a sign-in: in throttles, on the bus, at the hub. */
export const callerOfToken = (id: number): string => `token:${id}`

/** The token's id again; null for the id of a session. */
export function tokenOfCaller(caller: string): number | null {
  const [, id] = CALLER.exec(caller) ?? []
  return id === undefined ? null : Number(id)
}

/** As it is stored. A fast hash will do: the tokens are random. */
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
