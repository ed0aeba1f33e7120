/** What requests say: their query and token, and what is kept of the one that brought a transport. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** Of the request that brought the transport. */
export interface RequestFacts {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** The other end of its socket: behind a balancer, or from another node, that one's. */
  readonly address: string | undefined
}

/** Facts as one text: each connection holds them for as long as it lasts, and most are never asked. */
export type FoldedFacts = string & { readonly folded: unique symbol }

/** What is kept of a request. */
export function foldFacts({ url = '', headers, socket }: IncomingMessage): FoldedFacts {
  const facts: RequestFacts = { url, headers, address: socket.remoteAddress }
  // Nobody else makes one, so that no other text is taken for it.
  return JSON.stringify(facts) as FoldedFacts
}

/** What methods see; empty before a transport has come. */
export function unfoldFacts(folded: FoldedFacts | null): RequestFacts {
  if (folded === null) return { url: '', headers: {}, address: undefined }
  // An address that is not known is left out of the text, and so it comes back.
  const { url, headers, address } = JSON.parse(folded) as RequestFacts
  return { url, headers, address }
}

/** What stands behind the `?` of its address. */
export function queryOf(request: IncomingMessage): URLSearchParams {
  const url = request.url ?? ''
  const cut = url.indexOf('?')
  return new URLSearchParams(cut === -1 ? '' : url.slice(cut + 1))
}

/** The access token. The header wins; browsers can set none for sockets and events, so theirs comes in the address. */
export function tokenOf(request: IncomingMessage): string | null {
  const [, bearer] = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  return bearer ?? queryOf(request).get('access_token')
}
