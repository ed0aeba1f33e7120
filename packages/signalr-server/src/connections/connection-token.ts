/**
 * Connection tokens are random and signed, and name the node that holds the connection, so that every node behind
 * a load balancer can forward a request and forged tokens are refused. They also contain the node's encrypted
 * address, for when nobody can be asked.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

const RANDOM_BYTES = 24
const MAC_BYTES = 16
const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

export interface TokenPlace {
  /** The node that created the token. */
  readonly node: string
  /** The node's address at that time, or null if it had none. */
  readonly address: string | null
}

export interface ConnectionTokens {
  create(): string
  /** Returns null for a token that was not signed by our nodes. */
  placeOf(token: string): TokenPlace | null
}

/** `node` contains no dot. `address` is how other nodes reach it. `secret` is the same on all nodes. */
export function createConnectionTokens(
  secret: string,
  node: string,
  address: string | null = null,
): ConnectionTokens {
  if (secret.trim() === '') throw new TypeError('The secret of a hub must not be empty.')
  const key = createHash('sha256').update(`${secret} address`).digest()
  const sealed = address === null ? '' : seal(key, address)
  const macOf = (text: string) =>
    createHmac('sha256', secret).update(text).digest().subarray(0, MAC_BYTES)
  return {
    create: () => {
      const text = `${node}.${sealed}.${randomBytes(RANDOM_BYTES).toString('base64url')}`
      return `${text}.${macOf(text).toString('base64url')}`
    },
    placeOf: (token) => {
      const [name, place, random, mac, ...more] = token.split('.')
      if (name === undefined || place === undefined || random === undefined) return null
      if (mac === undefined || more.length > 0) return null
      const given = Buffer.from(mac, 'base64url')
      const right = macOf(`${name}.${place}.${random}`)
      const isOurs = given.length === right.length && timingSafeEqual(given, right)
      return isOurs ? { node: name, address: place === '' ? null : unseal(key, place) } : null
    },
  }
}

/** Clients must not see the addresses behind the load balancer. */
function seal(key: Buffer, text: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
}

function unseal(key: Buffer, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES))
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  const body = bytes.subarray(IV_BYTES + TAG_BYTES)
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
}
