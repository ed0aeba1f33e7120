/** What pages read of a request, the same before the framework and behind it. */
import type { IncomingMessage } from 'node:http'
import type { Locale } from '#contract/messages/messages.ts'
import type { CallContext, Viewer } from '#server/kernel/call.ts'
import { isPrefetch, languageIn, readCookies } from '#server/kernel/http/http.ts'
import { chooseLocale } from '#server/kernel/text/messages.ts'

/** The browser's name for itself, cut to 300 characters: it is stored with the session. */
export const agentOf = (request: IncomingMessage): string =>
  (request.headers['user-agent'] ?? '').slice(0, 300)

/** A browser's look ahead and HEAD count no view. */
export function countsView(request: IncomingMessage): boolean {
  return request.method === 'GET' && !isPrefetch(request.headers)
}

/** The language of a page: that of its address, else of the cookie, else what the browser asks for. */
export function localeOf(request: IncomingMessage, query: string | null): Locale {
  const cookie = request.headers.cookie
  const chosen = cookie === undefined ? undefined : languageIn(readCookies(cookie))
  return chooseLocale(query, chosen, request.headers['accept-language'])
}

interface ContextParts {
  readonly request: IncomingMessage
  readonly viewer: Viewer | null
  readonly locale: Locale
  readonly address: string
  readonly countsView: boolean
  readonly signal: AbortSignal
}

/** The context of a page's calls: they read, and set no headers. */
export function pageContext({ request, ...parts }: ContextParts): CallContext {
  return {
    ...parts,
    agent: agentOf(request),
    method: 'GET',
    origin: request.headers.origin,
    host: request.headers.host ?? '',
    cookies: readCookies(request.headers.cookie),
    setHeader: () => {},
  }
}
