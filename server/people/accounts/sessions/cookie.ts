/**
 * Returns the name of the session cookie. Over https it has the prefix `__Host-`, so browsers let no other host of
 * the domain set it; over http they would reject that name.
 */
export function cookieName(publicUrl: string): '__Host-kb' | 'kb' {
  return publicUrl.startsWith('https:') ? '__Host-kb' : 'kb'
}
