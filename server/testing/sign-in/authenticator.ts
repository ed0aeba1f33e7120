/** A software authenticator that creates and uses passkeys, both correctly and incorrectly. */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { CreationOptions, RequestOptions } from '#contract/passkeys.ts'

/** Deviations from an honest authenticator and browser. */
export interface Change {
  /** The origin of the page in the browser. */
  readonly origin?: string
  /** The site that it signs for. */
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  /** Whether PIN, fingerprint or face was checked. Defaults to true. */
  readonly verified?: boolean
  /** The signature counter. Defaults to the next number. */
  readonly counter?: number
  readonly userHandle?: string
}

export interface SoftPasskey {
  readonly id: string
  readonly userHandle: string
  counter: number
  readonly key: KeyObject
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()
const encode = (data: Uint8Array | string) => Buffer.from(data).toString('base64url')

/** Encodes a public P-256 key as COSE. */
function coseOf(key: KeyObject): Uint8Array {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  )
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

function authenticatorData(
  rpId: string,
  counter: number,
  verified: boolean,
  made = Buffer.alloc(0),
): Buffer {
  const flags = 0b1 | (verified ? 0b100 : 0) | (made.length > 0 ? 0b1000000 : 0)
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, made])
}

/** Creates a P-256 passkey on a page of `origin`. Returns what a browser sends. */
export function makePasskey(options: CreationOptions, origin: string, change: Change = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const counter = change.counter ?? 0
  const length = Buffer.from([id.length >> 8, id.length & 255])
  const made = Buffer.concat([Buffer.alloc(16), length, id, coseOf(publicKey)])
  const rpId = change.rpId ?? options.rp.id
  const attestation = isoCBOR.encode(
    new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, string>()],
      ['authData', authenticatorData(rpId, counter, change.verified ?? true, made)],
    ]),
  )
  const data = clientData(
    change.type ?? 'webauthn.create',
    change.challenge ?? options.challenge,
    change.origin ?? origin,
  )
  const passkey: SoftPasskey = {
    id: encode(id),
    userHandle: options.user.id,
    counter,
    key: privateKey,
  }
  const credential = {
    id: passkey.id,
    rawId: passkey.id,
    type: 'public-key' as const,
    response: {
      clientDataJSON: encode(data),
      attestationObject: encode(attestation),
      transports: ['internal'],
    },
    clientExtensionResults: {},
  }
  return { passkey, credential }
}

/** Signs a challenge with the passkey on a page of `origin`. Returns what a browser sends. */
export function provePasskey(
  passkey: SoftPasskey,
  options: Pick<RequestOptions, 'challenge' | 'rpId'>,
  origin: string,
  change: Change = {},
) {
  passkey.counter = change.counter ?? passkey.counter + 1
  const rpId = change.rpId ?? options.rpId
  const data = authenticatorData(rpId, passkey.counter, change.verified ?? true)
  const client = clientData(
    change.type ?? 'webauthn.get',
    change.challenge ?? options.challenge,
    change.origin ?? origin,
  )
  return {
    id: passkey.id,
    rawId: passkey.id,
    type: 'public-key' as const,
    response: {
      clientDataJSON: encode(client),
      authenticatorData: encode(data),
      signature: encode(sign('sha256', Buffer.concat([data, sha256(client)]), passkey.key)),
      userHandle: change.userHandle ?? passkey.userHandle,
    },
    clientExtensionResults: {},
  }
}
