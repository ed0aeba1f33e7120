import { factors } from '#contract/factors.ts'
import {
  beginTotp,
  confirmIdentity,
  finishTotp,
  removeTotp,
  renewRecoveryCodes,
  showFactors,
} from '#server/people/accounts/factors/factors.ts'
import { createSealing } from '#server/people/accounts/factors/sealing.ts'
import { openThrottle } from '#server/people/accounts/throttle.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'

export function factorCalls(core: Core): Route[] {
  const needs = {
    ...core,
    throttle: openThrottle(core),
    sealing: createSealing(core.secrets),
  }
  return [
    route(factors.show, ({ viewer }) => showFactors(needs, viewer)),
    route(factors.beginTotp, ({ viewer }, { password }) => beginTotp(needs, viewer, password)),
    route(factors.finishTotp, async ({ viewer }, { code }) => ({
      recoveryCodes: await finishTotp(needs, viewer, code),
    })),
    route(factors.removeTotp, async ({ viewer }) => {
      await removeTotp(needs, viewer)
      return null
    }),
    route(factors.renewRecoveryCodes, async ({ viewer }) => ({
      recoveryCodes: await renewRecoveryCodes(needs, viewer),
    })),
    route(factors.confirm, async ({ viewer }, given) => {
      await confirmIdentity(needs, viewer, given)
      return null
    }),
  ]
}
