/** Accounts over HTTP: the session in the answer, the refresh token in the cookie. */
import { accounts, type Session } from '#contract/accounts.schemas.ts'
import {
  changePassword,
  registerPerson,
  signIn,
  type AccountNeeds,
  type SignedIn,
} from '#server/accounts/accounts.ts'
import { sessionAnswer } from '#server/accounts/answer.ts'
import {
  confirmEmail,
  resendConfirmation,
  undoEmail,
  welcomeAddress,
} from '#server/accounts/mails/email.ts'
import { createDevices } from '#server/accounts/sessions/devices.ts'
import type { SecretOf } from '#server/accounts/mails/links.ts'
import { askReset, resetPassword } from '#server/accounts/mails/reset.ts'
import { cookieName, setSessionCookie } from '#server/accounts/sessions/cookie.ts'
import { refuseForeign } from '#server/accounts/sessions/origin.ts'
import {
  revokeOtherSessions,
  revokeSession,
  rotateSession,
} from '#server/accounts/sessions/sessions.ts'
import { createThrottle, noThrottle } from '#server/accounts/throttle.ts'
import type { Tokens } from '#server/accounts/sessions/tokens.ts'
import type { Tx } from '#server/db/connect.ts'
import { route, type CallContext, type Route } from '#server/kernel/call.ts'
import type { Config } from '#server/kernel/config.ts'
import { unauthorized } from '#server/kernel/errors.ts'

export interface AccountRouteNeeds extends Omit<AccountNeeds, 'throttle'> {
  readonly tokens: Tokens
  readonly config: Pick<Config, 'RATE_LIMITS'>
  /** An origin. */
  readonly publicUrl: string
  readonly secretOf: SecretOf
  /** Called when all of a person's sessions, or all but one, have ended. */
  readonly onRevoked: (userId: string, exceptSession?: string) => void
  /** Called when one session has ended, by its person or because it was stolen. */
  readonly onSessionEnded: (userId: string, sessionId: string) => void
}

export function accountRoutes(needs: AccountRouteNeeds): Route[] {
  const { db, clock, tokens, config, publicUrl } = needs
  const throttle = config.RATE_LIMITS === 'on' ? createThrottle(db, () => clock.now()) : noThrottle
  const devices = createDevices(tokens, publicUrl)
  const verbs = {
    ...needs,
    throttle,
    devices,
    afterRegistration: async (tx: Tx, userId: string) => {
      await needs.afterRegistration(tx, userId)
      await welcomeAddress(tx, needs.secretOf, userId, clock.now())
    },
  }

  async function answerSession(context: CallContext, signedIn: SignedIn): Promise<Session> {
    const { userId, sessionId, generation } = signedIn
    const answer = await sessionAnswer(db, tokens, userId, sessionId)
    setSessionCookie(context, publicUrl, tokens.refreshToken(sessionId, generation))
    devices.remember(userId, context)
    return answer
  }

  /** The refresh token of the cookie, of our own pages only: any page of the world could send the cookie along. */
  function readCookie(context: CallContext) {
    refuseForeign(context, publicUrl)
    return tokens.readRefreshToken(context.cookies[cookieName(publicUrl)] ?? '')
  }

  return [
    route(accounts.register, async (context, form) =>
      answerSession(context, await registerPerson(verbs, form, context)),
    ),
    route(accounts.login, async (context, given) =>
      answerSession(context, await signIn(verbs, given, context)),
    ),
    route(accounts.refresh, async (context) => {
      const used = readCookie(context)
      const renewed = used === null ? null : await rotateSession(db, used, clock.now())
      if (renewed !== null && 'sessionId' in renewed) return answerSession(context, renewed)
      if (used !== null && renewed !== null) needs.onSessionEnded(renewed.endedOf, used.sessionId)
      setSessionCookie(context, publicUrl, null)
      throw unauthorized()
    }),
    route(accounts.logout, async (context) => {
      const used = readCookie(context)
      const owner = used === null ? null : await revokeSession(db, used.sessionId, clock.now())
      if (used !== null && owner !== null) needs.onSessionEnded(owner, used.sessionId)
      setSessionCookie(context, publicUrl, null)
      return null
    }),
    route(accounts.revokeSessions, async ({ viewer }) => {
      await revokeOtherSessions(db, viewer.id, viewer.sessionId, clock.now())
      needs.onRevoked(viewer.id, viewer.sessionId)
      return null
    }),
    route(accounts.changePassword, async (context, given) => {
      await changePassword(verbs, context.viewer, given)
      needs.onRevoked(context.viewer.id, context.viewer.sessionId)
      return null
    }),
    route(accounts.forgotPassword, async ({ address }, { email }) => {
      await askReset(verbs, email, address)
      return null
    }),
    route(accounts.resetPassword, async ({ address }, given) => {
      needs.onRevoked(await resetPassword(verbs, given, address))
      return null
    }),
    route(accounts.confirmEmail, async (_, { token }) => {
      await confirmEmail(verbs, token)
      return null
    }),
    route(accounts.undoEmail, async (_, { token }) => {
      needs.onRevoked(await undoEmail(verbs, token))
      return null
    }),
    route(accounts.resendConfirmation, async ({ viewer }) => {
      await resendConfirmation(verbs, viewer.id)
      return null
    }),
  ]
}
