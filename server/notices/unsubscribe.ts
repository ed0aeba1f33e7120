/** One click in a mail ends all notices by mail, or a kind of them (RFC 8058). */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { NOTICE_KINDS } from '#contract/notices.ts'
import {
  createUnsubscribeTokens,
  endAllNotices,
  type UnsubscribeTokens,
} from '#server/accounts/mails/unsubscribe.ts'
import type { Db } from '#server/db/connect.ts'
import { endMailsOf } from '#server/notices/choices.ts'

/** Ends what the token is for; once more is no error. False for what is forged. */
export async function endNotices(
  db: Db,
  tokens: UnsubscribeTokens,
  token: string,
): Promise<boolean> {
  const found = tokens.read(token)
  if (found === null) return false
  const kind = NOTICE_KINDS.find((each) => each === found.kind)
  if (kind !== undefined) await endMailsOf(db, found.userId, kind)
  // Nobody wants to hear of a kind that is no more; a token without one is for all.
  else if (found.kind === null) await endAllNotices(db, found.userId)
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
