/** The name of the refresh cookie. */

/**
 * The name of the session cookie. Over https it has the prefix `__Host-`, with which browsers let no other host of
 * the domain set it; over http they would refuse that name.
 */
export function cookieName(publicUrl: string): '__Host-kb' | 'kb' {
  return publicUrl.startsWith('https:') ? '__Host-kb' : 'kb'
}
