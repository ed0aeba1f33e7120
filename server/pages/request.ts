/** Reads requests for pages, also before the framework does. */
import type { IncomingMessage } from 'node:http'
import type { Locale } from '#contract/messages/messages.ts'
import type { CallContext, Viewer } from '#server/kernel/call.ts'
import { isPrefetch, languageIn, readCookies } from '#server/kernel/http/http.ts'
import { chooseLocale } from '#server/kernel/text/messages.ts'

/** Cuts the User-Agent header to 300 characters. */
export const agentOf = (request: IncomingMessage): string =>
  (request.headers['user-agent'] ?? '').slice(0, 300)

/** Prefetches and HEAD count no view. */
export function countsView(request: IncomingMessage): boolean {
  return request.method === 'GET' && !isPrefetch(request.headers)
}

/** Uses the language of the URL, then of the cookie, then of Accept-Language. */
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

/** Makes the context of a page's calls, which read and set no headers. */
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
