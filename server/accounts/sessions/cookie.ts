/** The refresh cookie. `__Host-` binds it to exactly this origin; browsers refuse that name without https. */
import { SESSION_MS } from '#server/accounts/sessions/sessions.ts'
import type { CallContext } from '#server/kernel/call.ts'

/**
 * The name of the session cookie. Over https it has the prefix `__Host-`, with which browsers let no other host of
 * the domain set it; over http they would refuse that name.
 */
export function cookieName(publicUrl: string): '__Host-kb' | 'kb' {
  return publicUrl.startsWith('https:') ? '__Host-kb' : 'kb'
}

/** Gives the caller the refresh token; null takes it away. */
export function setSessionCookie(
  context: Pick<CallContext, 'setHeader'>,
  publicUrl: string,
  token: string | null,
): void {
  const name = cookieName(publicUrl)
  const secure = name === 'kb' ? '' : '; Secure'
  const seconds = token === null ? 0 : SESSION_MS / 1000
  context.setHeader(
    'set-cookie',
    `${name}=${token ?? ''}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
  )
}
