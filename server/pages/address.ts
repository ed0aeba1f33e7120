/** Every URL that belongs to no call and no file gets a page, however malformed it is. */

/** These prefixes never get a page. */
const NO_PAGE =
  /^\/(?:api(?!\/docs\/?(?:[?#]|$))|feeds|files|assets|art|share|locales|manifest|credentials|chathub)(?:[/?#]|$)/i

export const isPageAddress = (url: string): boolean => !NO_PAGE.test(url)

/**
 * Makes a page's URL decodable: a `%` that begins no escape (`/lesson/%ff`) is escaped itself, so that the
 * not-found page answers. Valid URLs, and those of no page, stay as they are.
 */
export function escapeAddress(url: string): string {
  if (!url.includes('%') || !isPageAddress(url)) return url
  const cut = url.search(/[?#]/)
  const path = cut === -1 ? url : url.slice(0, cut)
  return isDecodable(path) ? url : path.replaceAll('%', '%25') + url.slice(path.length)
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
