/** One-click unsubscribe (RFC 8058) from all notices by mail, or from one kind. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { NOTICE_KINDS } from '#contract/notices.ts'
import {
  createUnsubscribeTokens,
  endAllNotices,
  type UnsubscribeTokens,
} from '#server/people/accounts/mails/unsubscribe.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { endMailsOf } from '#server/community/notices/choices.ts'

/** Ends the mails that the token names. Repeated calls succeed. Returns false for a forged token. */
export async function endNotices(
  db: Db,
  tokens: UnsubscribeTokens,
  token: string,
): Promise<boolean> {
  const found = tokens.read(token)
  if (found === null) return false
  const kind = NOTICE_KINDS.find((each) => each === found.kind)
  if (kind !== undefined) await endMailsOf(db, found.userId, kind)
  // Ignores a kind that no longer exists. A token without a kind ends all mails.
  else if (found.kind === null) await endAllNotices(db, found.userId)
  return true
}

const PAGE = '/email/unsubscribe'
const MOST_BYTES = 1024

/**
 * Handles forms: RFC 8058 requests of mail programs to the URL of the mail's header, which shows the page in a
 * browser, and the page's button without JavaScript. Returns the object that creates the tokens.
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
 * The page's own form has no field. RFC 8058 also allows multipart forms, whose body is not read. A request
 * without a body has no content type either (takeEmptyBodies).
 */
function isOneClick({ body, headers }: FastifyRequest): boolean {
  return body instanceof URLSearchParams
    ? body.get('List-Unsubscribe') !== null
    : headers['content-type'] !== undefined
}
