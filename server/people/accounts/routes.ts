/** Accounts over HTTP: the access token is in the response, the refresh token in the cookie. */
import { accounts, type Session } from '#contract/accounts.ts'
import { waysIn } from '#contract/ways-in.ts'
import {
  changePassword,
  registerPerson,
  signIn,
  type SignedIn,
} from '#server/people/accounts/accounts.ts'
import { sessionAnswer } from '#server/people/accounts/answer.ts'
import { confirmEmail, resendConfirmation, undoEmail } from '#server/people/accounts/mails/email.ts'
import { accessTokenCalls } from '#server/people/accounts/access-tokens/calls.ts'
import { createBrowserSessions } from '#server/people/accounts/sessions/browser-sessions.ts'
import { createDevices } from '#server/people/accounts/sessions/devices.ts'
import { factorCalls } from '#server/people/accounts/factors/calls.ts'
import { createSealing } from '#server/people/accounts/factors/sealing.ts'
import { oidcCalls } from '#server/people/accounts/oidc/calls.ts'
import { passkeyCalls } from '#server/people/accounts/passkeys/calls.ts'
import { createLinkSecrets } from '#server/people/accounts/mails/links.ts'
import { askReset, resetPassword } from '#server/people/accounts/mails/reset.ts'
import { sessionCalls } from '#server/people/accounts/sessions/calls.ts'
import { refuseForeign } from '#server/people/accounts/sessions/origin.ts'
import { revokeOtherSessions, rotateSession } from '#server/people/accounts/sessions/sessions.ts'
import { openThrottle } from '#server/people/accounts/throttle.ts'
import { listWaysIn, requirePasswordLogin } from '#server/people/accounts/ways-in.ts'
import { openTokens } from '#server/people/accounts/sessions/tokens.ts'
import { route, type CallContext, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { unauthorized } from '#server/kernel/errors.ts'

export function routes(core: Core): Route[] {
  const { db, clock, publicUrl, secrets, events } = core
  const tokens = openTokens(core)
  const devices = createDevices(tokens, publicUrl)
  const browsers = createBrowserSessions({ ...core, tokens, devices })
  const secretOf = createLinkSecrets(secrets[0])
  const sealing = createSealing(secrets)
  const verbs = { ...core, throttle: openThrottle(core), devices, secretOf, sealing }

  const publishRevoked = (userId: string, exceptSession: string | null, tokensToo = false) =>
    events.publish({ type: 'sessions.revoked', userId, exceptSession, tokensToo })

  async function answerSession(context: CallContext, signedIn: SignedIn): Promise<Session> {
    const answer = await sessionAnswer({ ...core, tokens }, signedIn.userId, signedIn.sessionId)
    await browsers.begin(context, signedIn)
    return answer
  }

  return [
    route(waysIn.show, (_, { invitation }) => listWaysIn(core, invitation)),
    ...factorCalls(core),
    ...accessTokenCalls(core),
    ...sessionCalls(core),
    ...passkeyCalls(core, answerSession),
    ...oidcCalls(core, answerSession),
    route(accounts.register, async (context, form) => {
      requirePasswordLogin(core.config)
      return answerSession(context, await registerPerson(verbs, form, context))
    }),
    route(accounts.login, async (context, given) => {
      requirePasswordLogin(core.config)
      return answerSession(context, await signIn(verbs, given, context))
    }),
    route(accounts.refresh, async (context) => {
      refuseForeign(context, publicUrl)
      const used = browsers.read(context)
      const renewed =
        used === null ? null : await rotateSession(db, used, context.agent, clock.now())
      if (renewed !== null && 'sessionId' in renewed) return answerSession(context, renewed)
      if (used !== null && renewed !== null)
        events.publish({
          type: 'session.ended',
          userId: renewed.endedOf,
          sessionId: used.sessionId,
        })
      await browsers.end(context)
      throw unauthorized()
    }),
    route(accounts.logout, async (context) => {
      refuseForeign(context, publicUrl)
      await browsers.end(context)
      return null
    }),
    route(accounts.revokeSessions, async ({ viewer }) => {
      await revokeOtherSessions(db, viewer.id, viewer.sessionId, clock.now())
      publishRevoked(viewer.id, viewer.sessionId)
      return null
    }),
    route(accounts.changePassword, async (context, given) => {
      requirePasswordLogin(core.config)
      await changePassword(verbs, context.viewer, given)
      publishRevoked(context.viewer.id, context.viewer.sessionId)
      return null
    }),
    route(accounts.forgotPassword, async ({ address }, { email }) => {
      requirePasswordLogin(core.config)
      await askReset(verbs, email, address)
      return null
    }),
    route(accounts.resetPassword, async ({ address }, given) => {
      requirePasswordLogin(core.config)
      publishRevoked(await resetPassword(verbs, given, address), null)
      return null
    }),
    route(accounts.confirmEmail, async (_, { token }) => {
      await confirmEmail(verbs, token)
      return null
    }),
    route(accounts.undoEmail, async (_, { token }) => {
      publishRevoked(await undoEmail(verbs, token), null, true)
      return null
    }),
    route(accounts.resendConfirmation, async ({ viewer }) => {
      await resendConfirmation(verbs, viewer.id)
      return null
    }),
  ]
}
