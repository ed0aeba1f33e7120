/** Where a browser may be sent on: an address that somebody else may have written, so it is judged once it is resolved. */

interface Resolved {
  readonly origin: string
  readonly pathname: string
  readonly search: string
  readonly hash: string
}

/** Node and browsers have it; this room's types know neither. */
declare const URL: new (address: string, base: string) => Resolved

/** Any origin will do: an address of the site resolves to the one it is resolved against. */
const ORIGIN = 'http://site.invalid'
/** URL parsers read a backslash as a slash, and skip tabs and line breaks. */
const PATH = /^\/(?!\/)[^\\\s\p{Cc}]*$/u
/** Every page's address begins with a letter, so no slash follows the first one, plain or encoded. */
const PAGE = /^\/(?:[a-z]|$)/i
const GATE = /^\/(?:login|register|logout|oidc|profile\/second-factor)(?:\/|$)/i

/**
 * The path, query and fragment to go on to after a sign-in. Returns `/` for what leads to another site, for what isn't
 * a page's address, and for the sign-in's own pages.
 */
export function nextPath(given: string | null | undefined): string {
  if (!given || !PATH.test(given)) return '/'
  const url = new URL(given, ORIGIN)
  if (url.origin !== ORIGIN || !PAGE.test(url.pathname) || GATE.test(url.pathname)) return '/'
  return pathOf(url)
}

/** A URL without its origin. Never begins with two slashes, which would name another host. */
export const pathOf = ({ pathname, search, hash }: Omit<Resolved, 'origin'>): string =>
  pathname.replace(/^\/{2,}/, '/') + search + hash
