/** Encrypts secrets that must be readable again, so that a copy of the database alone doesn't allow signing in. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deriveKey } from '#server/people/accounts/sessions/tokens.ts'
import type { Secrets } from '#server/kernel/keys.ts'

const CIPHER = 'aes-256-gcm'
/** The first byte of a sealed secret; another cipher gets another one. */
const VERSION = Buffer.of(1)
const IV_BYTES = 12
const TAG_BYTES = 16

export interface Opened {
  readonly secret: string
  /** It was sealed with an older key, which will be removed some day. */
  readonly isOld: boolean
}

export interface Sealing {
  /** Binds the secret to one person, so that it can't be moved to another row. */
  seal(secret: string, userId: string): Buffer
  /** Returns null when no key of this installation fits. */
  open(sealed: Buffer, userId: string): Opened | null
}

/**
 * Seals with the first key and opens with all of them, so that a key can be replaced. Only the same `purpose` can
 * open it.
 */
export function createSealing(secrets: Secrets, purpose = 'second factor'): Sealing {
  const keys = secrets.map((secret) => deriveKey(secret, purpose))
  const [first = deriveKey(secrets[0], purpose)] = keys
  return {
    seal: (secret, userId) => {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(CIPHER, first, iv).setAAD(Buffer.from(userId))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([VERSION, iv, cipher.getAuthTag(), text])
    },
    open: (sealed, userId) => {
      if (sealed[0] !== VERSION[0]) return null
      for (const [index, key] of keys.entries()) {
        const secret = decrypt(sealed.subarray(1), key, userId)
        if (secret !== null) return { secret, isOld: index > 0 }
      }
      return null
    },
  }
}

function decrypt(sealed: Buffer, key: Uint8Array, userId: string): string | null {
  const tagEnd = IV_BYTES + TAG_BYTES
  try {
    const opener = createDecipheriv(CIPHER, key, sealed.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(userId))
      .setAuthTag(sealed.subarray(IV_BYTES, tagEnd))
    return Buffer.concat([opener.update(sealed.subarray(tagEnd)), opener.final()]).toString('utf8')
  } catch {
    return null
  }
}
