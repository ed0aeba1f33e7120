import { webhooks } from '#contract/webhooks.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { createWebhookNeeds } from '#server/operate/webhooks/needs.ts'
import { listDeliveries, listEndpoints } from '#server/operate/webhooks/store.ts'
import {
  createWebhook,
  editWebhook,
  removeWebhook,
  renewSecret,
  resendWebhook,
} from '#server/operate/webhooks/webhooks.ts'

export function routes(core: Core): Route[] {
  const needs = createWebhookNeeds(core)
  const { db } = core
  return [
    route(webhooks.list, () => listEndpoints(db)),
    route(webhooks.create, ({ viewer }, draft) => createWebhook(needs, viewer, draft)),
    route(webhooks.edit, ({ viewer }, draft) => editWebhook(needs, viewer, draft)),
    route(webhooks.renewSecret, ({ viewer }, { id }) => renewSecret(needs, viewer, id)),
    route(webhooks.remove, async ({ viewer }, { id }) => {
      await removeWebhook(needs, viewer, id)
      return null
    }),
    route(webhooks.deliveries, (_context, { id, page = 1 }) => listDeliveries(db, id, page)),
    route(webhooks.resend, async (_context, asked) => {
      await resendWebhook(needs, asked)
      return null
    }),
  ]
}
