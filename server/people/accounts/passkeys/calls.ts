import type { Session } from '#contract/accounts.ts'
import { passkeys } from '#contract/passkeys.ts'
import type { SignedIn } from '#server/people/accounts/accounts.ts'
import {
  beginAdding,
  finishAdding,
  removePasskey,
  rename,
  showPasskeys,
} from '#server/people/accounts/passkeys/passkeys.ts'
import {
  beginConfirming,
  beginSignIn,
  confirmByPasskey,
  signInByPasskey,
} from '#server/people/accounts/passkeys/sign-in.ts'
import { openThrottle } from '#server/people/accounts/throttle.ts'
import { route, type CallContext, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'

/** @param answerSession builds the response for somebody who has just signed in, with the cookie */
export function passkeyCalls(
  core: Core,
  answerSession: (context: CallContext, signedIn: SignedIn) => Promise<Session>,
): Route[] {
  const needs = { ...core, throttle: openThrottle(core) }
  return [
    route(passkeys.list, ({ viewer }) => showPasskeys(needs, viewer)),
    route(passkeys.beginAdding, ({ viewer }, { password }) => beginAdding(needs, viewer, password)),
    route(passkeys.finishAdding, async ({ viewer }, given) => ({
      recoveryCodes: await finishAdding(needs, viewer, given),
    })),
    route(passkeys.rename, async ({ viewer }, { id, name }) => {
      await rename(needs, viewer, id, name)
      return null
    }),
    route(passkeys.remove, async ({ viewer }, { id }) => {
      await removePasskey(needs, viewer, id)
      return null
    }),
    route(passkeys.beginSignIn, (context) => beginSignIn(needs, context)),
    route(passkeys.signIn, async (context, { credential }) =>
      answerSession(context, await signInByPasskey(needs, credential, context)),
    ),
    route(passkeys.beginConfirming, ({ viewer }) => beginConfirming(needs, viewer)),
    route(passkeys.confirm, async ({ viewer }, { credential }) => {
      await confirmByPasskey(needs, viewer, credential)
      return null
    }),
  ]
}
