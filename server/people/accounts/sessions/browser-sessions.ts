/**
 * The only place that sets the session cookie, so that no sign-in leaves an older session of the browser alive.
 */
import type { SignedIn } from '#server/people/accounts/accounts.ts'
import { cookieName } from '#server/people/accounts/sessions/cookie.ts'
import type { Devices } from '#server/people/accounts/sessions/devices.ts'
import { revokeSession, SESSION_MS } from '#server/people/accounts/sessions/sessions.ts'
import type { RefreshUse, Tokens } from '#server/people/accounts/sessions/tokens.ts'
import type { CallContext } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'

type Caller = Pick<CallContext, 'cookies' | 'setHeader'>

export interface BrowserSessions {
  /** Reads the refresh token in the browser's cookie. */
  read(caller: Pick<Caller, 'cookies'>): RefreshUse | null
  /** Sets the browser's session and ends the previous one. Every way to sign in calls it. */
  begin(caller: Caller, signedIn: SignedIn): Promise<void>
  /** Ends the browser's session and deletes its cookie. */
  end(caller: Caller): Promise<void>
}

interface BrowserNeeds extends Pick<Core, 'db' | 'clock' | 'events' | 'publicUrl'> {
  readonly tokens: Tokens
  readonly devices: Devices
}

export function createBrowserSessions(needs: BrowserNeeds): BrowserSessions {
  const { db, clock, events, publicUrl, tokens, devices } = needs
  const read = ({ cookies }: Pick<Caller, 'cookies'>) =>
    tokens.readRefreshToken(cookies[cookieName(publicUrl)] ?? '')
  const revoke = async ({ sessionId }: RefreshUse) => {
    const userId = await revokeSession(db, sessionId, clock.now())
    if (userId !== null) events.publish({ type: 'session.ended', userId, sessionId })
  }
  return {
    read,
    begin: async (caller, { userId, sessionId, generation }) => {
      const before = read(caller)
      if (before !== null && before.sessionId !== sessionId) await revoke(before)
      setCookie(caller, publicUrl, tokens.refreshToken(sessionId, generation))
      devices.remember(userId, caller)
    },
    end: async (caller) => {
      const before = read(caller)
      if (before !== null) await revoke(before)
      setCookie(caller, publicUrl, null)
    },
  }
}

/** Null deletes the cookie. */
function setCookie(caller: Caller, publicUrl: string, token: string | null): void {
  const name = cookieName(publicUrl)
  const secure = name === 'kb' ? '' : '; Secure'
  const seconds = token === null ? 0 : SESSION_MS / 1000
  caller.setHeader(
    'set-cookie',
    `${name}=${token ?? ''}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
  )
}
