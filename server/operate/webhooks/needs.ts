import { createSealing } from '#server/people/accounts/factors/sealing.ts'
import type { Core } from '#server/platform/core/core.ts'
import { createAddressRule } from '#server/operate/webhooks/addresses.ts'
import type { DeliveringNeeds } from '#server/operate/webhooks/delivering.ts'
import { resolveBySystem } from '#server/operate/webhooks/post.ts'
import type { WebhookNeeds } from '#server/operate/webhooks/webhooks.ts'

/** Timeout of a whole attempt in ms, as documented for receivers. */
const PATIENCE_MS = 10_000

export function createWebhookNeeds(core: Core): WebhookNeeds & DeliveringNeeds {
  const allowed = core.config.WEBHOOK_ALLOW_ADDRESSES
  return {
    ...core,
    sealing: createSealing(core.secrets, 'webhooks'),
    maySend: createAddressRule(allowed),
    resolve: resolveBySystem,
    patienceMs: PATIENCE_MS,
    allowsPrivate: allowed.length > 0,
  }
}
