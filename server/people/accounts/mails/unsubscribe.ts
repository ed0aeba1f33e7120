/**
 * Ends a person's notices by a link in a mail: without signing in, without a stored secret, and without expiry.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '#server/people/accounts/sessions/tokens.ts'
import type { Db } from '#server/platform/db/connect.ts'

export interface UnsubscribeTokens {
  /** Returns a token that ends one kind of notices, or all of them. */
  readonly tokenOf: (userId: string, kind?: string) => string
  /** Returns the owner and the kind that the token ends (null for all), or null for a forged token. */
  read(token: string): { readonly userId: string; readonly kind: string | null } | null
}

/** The first secret signs and all verify: last year's mail still works after a change of keys. */
export function createUnsubscribeTokens(secrets: readonly string[]): UnsubscribeTokens {
  const keys = secrets.map((secret) => deriveKey(secret, 'unsubscribe'))
  const [first] = keys
  if (first === undefined) throw new Error('no secret to sign with')
  // Tokens of mails from before there were kinds have none.
  const macOf = (key: Uint8Array, userId: string, kind?: string) =>
    createHmac('sha256', key)
      .update(kind === undefined ? userId : `${userId} ${kind}`)
      .digest()
  return {
    tokenOf: (userId, kind) =>
      [
        userId.replaceAll('-', ''),
        ...(kind === undefined ? [] : [kind]),
        macOf(first, userId, kind).toString('base64url'),
      ].join('.'),
    read: (token) => {
      const [, a, b, c, d, e, kind, mac = ''] = TOKEN.exec(token) ?? []
      const userId = [a, b, c, d, e].join('-')
      const given = Buffer.from(mac, 'base64url')
      if (!keys.some((key) => isSame(given, macOf(key, userId, kind)))) return null
      return { userId, kind: kind ?? null }
    },
  }
}

const TOKEN =
  /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})(?:\.([a-z]{1,20}))?\.([\w-]{43})$/

const isSame = (given: Buffer, expected: Buffer): boolean =>
  given.length === expected.length && timingSafeEqual(given, expected)

export async function endAllNotices(db: Db, userId: string): Promise<void> {
  await db.updateTable('users').set({ notices: false }).where('id', '=', userId).execute()
}
