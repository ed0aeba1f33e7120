/** Reads query and token of requests, and stores the facts of the one that brought a transport. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

export interface RequestFacts {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** Remote address of the socket, which may be that of a load balancer or another node. */
  readonly address: string | undefined
}

/** Facts serialised to a string, because each connection holds them and few are ever read. */
export type FoldedFacts = string & { readonly folded: unique symbol }

export function foldFacts({ url = '', headers, socket }: IncomingMessage): FoldedFacts {
  const facts: RequestFacts = { url, headers, address: socket.remoteAddress }
  // The only place that creates this type.
  return JSON.stringify(facts) as FoldedFacts
}

/** For methods. Empty before a transport has come. */
export function unfoldFacts(folded: FoldedFacts | null): RequestFacts {
  if (folded === null) return { url: '', headers: {}, address: undefined }
  // JSON omits an undefined address, so that it is undefined here again.
  const { url, headers, address } = JSON.parse(folded) as RequestFacts
  return { url, headers, address }
}

/** Returns the query string of a request. */
export function queryOf(request: IncomingMessage): URLSearchParams {
  const url = request.url ?? ''
  const cut = url.indexOf('?')
  return new URLSearchParams(cut === -1 ? '' : url.slice(cut + 1))
}

/**
 * Returns the access token. The header takes precedence; browsers can't set headers for sockets and events and use
 * the URL.
 */
export function tokenOf(request: IncomingMessage): string | null {
  const [, bearer] = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  return bearer ?? queryOf(request).get('access_token')
}
