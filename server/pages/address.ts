/** Addresses that name no call and no file get a page, however broken they are. */

/** These never fall through to a page. */
const NO_PAGE =
  /^\/(?:api(?!\/docs\/?(?:[?#]|$))|feeds|files|assets|art|share|locales|manifest|credentials|chathub)(?:[/?#]|$)/i

/** Whether an address is answered with a page, and not by the API, a file or the hub. */
export const isPageAddress = (url: string): boolean => !NO_PAGE.test(url)

/**
 * A page's address that can be decoded: signs that are no escapes (`/lesson/%ff`) stand for themselves, so that the
 * page for what is not there answers. What is valid, and what is no page, stays as it is.
 */
export function mendAddress(url: string): string {
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
