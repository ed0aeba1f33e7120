/** Ending the notices of a person by a link of a mail: no sign-in, no row that stores a secret, no end. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { deriveKey } from '#server/accounts/sessions/tokens.ts'
import type { Db } from '#server/db/connect.ts'

export interface UnsubscribeTokens {
  readonly tokenOf: (userId: string) => string
  /** Whose token it is; null for what is forged. */
  read(token: string): string | null
}

/** The first secret signs, all verify: a mail of last year still works after the keys were changed. */
export function createUnsubscribeTokens(secrets: readonly string[]): UnsubscribeTokens {
  const keys = secrets.map((secret) => deriveKey(secret, 'unsubscribe'))
  const [first] = keys
  if (first === undefined) throw new Error('no secret to sign with')
  const macOf = (key: Uint8Array, userId: string) =>
    createHmac('sha256', key).update(userId).digest()
  return {
    tokenOf: (userId) =>
      `${userId.replaceAll('-', '')}.${macOf(first, userId).toString('base64url')}`,
    read: (token) => {
      const [, a, b, c, d, e, mac = ''] = TOKEN.exec(token) ?? []
      const userId = [a, b, c, d, e].join('-')
      const given = Buffer.from(mac, 'base64url')
      return keys.some((key) => isSame(given, macOf(key, userId))) ? userId : null
    },
  }
}

const TOKEN = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})\.([\w-]{43})$/

const isSame = (given: Buffer, expected: Buffer): boolean =>
  given.length === expected.length && timingSafeEqual(given, expected)

/** Ends the notices of whom the token is for; once more is no error. False for what is forged. */
export async function endNotices(
  db: Db,
  tokens: UnsubscribeTokens,
  token: string,
): Promise<boolean> {
  const userId = tokens.read(token)
  if (userId === null) return false
  await db.updateTable('users').set({ notices: false }).where('id', '=', userId).execute()
  return true
}

const PAGE = '/email/unsubscribe'
const MOST_BYTES = 1024

/**
 * The same for what sends forms: mail programs with one click (RFC 8058, at the address of the mail's header, which a
 * browser opens as the page), and the page's button where there is no script. Answers what makes the tokens.
 */
export async function registerUnsubscribe(
  app: FastifyInstance,
  db: Db,
  secrets: readonly string[],
): Promise<UnsubscribeTokens['tokenOf']> {
  const tokens = createUnsubscribeTokens(secrets)
  await app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MOST_BYTES },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    )
    scope.post<{ Querystring: { token?: unknown } }>(PAGE, async (request, reply) => {
      const { token } = request.query
      const ended = typeof token === 'string' && (await endNotices(db, tokens, token))
      reply.header('cache-control', 'no-store')
      if (!isOneClick(request)) return reply.redirect(ended ? `${PAGE}?done=1` : PAGE, 303)
      return reply.code(ended ? 204 : 400).send()
    })
  })
  return tokens.tokenOf
}

/**
 * Not the page's own button, whose form has no field. A form with a file's encoding is one click too, by the letter of
 * the RFC; its body is not read. What has no body has no type here either (takeEmptyBodies).
 */
function isOneClick({ body, headers }: FastifyRequest): boolean {
  return body instanceof URLSearchParams
    ? body.get('List-Unsubscribe') !== null
    : headers['content-type'] !== undefined
}
