/** The session of a browser: the only place that hands out its cookie, so that no sign-in leaves an older session alive. */
import type { SignedIn } from '#server/accounts/accounts.ts'
import { cookieName } from '#server/accounts/sessions/cookie.ts'
import type { Devices } from '#server/accounts/sessions/devices.ts'
import { revokeSession, SESSION_MS } from '#server/accounts/sessions/sessions.ts'
import type { RefreshUse, Tokens } from '#server/accounts/sessions/tokens.ts'
import type { CallContext } from '#server/kernel/call.ts'
import type { Core } from '#server/kernel/core.ts'

type Caller = Pick<CallContext, 'cookies' | 'setHeader'>

export interface BrowserSessions {
  /** The refresh token of the browser's cookie, or null. */
  read(caller: Pick<Caller, 'cookies'>): RefreshUse | null
  /** Gives the browser this session, and ends the one that it had. Every way to sign in calls it. */
  begin(caller: Caller, signedIn: SignedIn): Promise<void>
  /** Ends the browser's session and takes its cookie away. */
  end(caller: Caller): Promise<void>
}

interface BrowserNeeds extends Pick<Core, 'db' | 'clock' | 'changes' | 'publicUrl'> {
  readonly tokens: Tokens
  readonly devices: Devices
}

/** Opens what signs browsers in and out. */
export function createBrowserSessions(needs: BrowserNeeds): BrowserSessions {
  const { db, clock, changes, publicUrl, tokens, devices } = needs
  const read = ({ cookies }: Pick<Caller, 'cookies'>) =>
    tokens.readRefreshToken(cookies[cookieName(publicUrl)] ?? '')
  const revoke = async ({ sessionId }: RefreshUse) => {
    const userId = await revokeSession(db, sessionId, clock.now())
    if (userId !== null) changes.publish({ kind: 'sessionEnded', userId, sessionId })
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

/** Null takes the cookie away. */
function setCookie(caller: Caller, publicUrl: string, token: string | null): void {
  const name = cookieName(publicUrl)
  const secure = name === 'kb' ? '' : '; Secure'
  const seconds = token === null ? 0 : SESSION_MS / 1000
  caller.setHeader(
    'set-cookie',
    `${name}=${token ?? ''}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
  )
}
