/**
 * Decides where a browser may be redirected. Somebody else may have written the address, so it is checked after it
 * is resolved.
 */

interface Resolved {
  readonly origin: string
  readonly pathname: string
  readonly search: string
  readonly hash: string
}

/** Node and browsers have it, but the types of this folder include neither. */
declare const URL: new (address: string, base: string) => Resolved

/** Any origin works: an address on this site resolves to the same origin. */
const ORIGIN = 'http://site.invalid'
/** URL parsers treat a backslash as a slash, and ignore tabs and line breaks. */
const PATH = /^\/(?!\/)[^\\\s\p{Cc}]*$/u
/** Every page's path begins with a letter, so that no second slash follows, plain or encoded. */
const PAGE = /^\/(?:[a-z]|$)/i
const GATE = /^\/(?:login|register|logout|oidc|profile\/second-factor)(?:\/|$)/i

/**
 * Returns the path, query and fragment to continue at after a sign-in. Returns `/` for other sites, for addresses
 * that are not pages, and for the sign-in pages themselves.
 */
export function nextPath(given: string | null | undefined): string {
  if (!given || !PATH.test(given)) return '/'
  const url = new URL(given, ORIGIN)
  if (url.origin !== ORIGIN || !PAGE.test(url.pathname) || GATE.test(url.pathname)) return '/'
  return pathOf(url)
}

/** A URL without its origin. It never begins with two slashes, which would name another host. */
export const pathOf = ({ pathname, search, hash }: Omit<Resolved, 'origin'>): string =>
  pathname.replace(/^\/{2,}/, '/') + search + hash
