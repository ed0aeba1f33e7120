import { MOST_WEBHOOKS, OLD_SECRET_HOURS } from '#contract/limits.ts'
import type { WebhookEndpoint, WebhookEvent } from '#contract/webhooks.ts'
import type { Sealing } from '#server/people/accounts/factors/sealing.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { lock, lockName } from '#server/platform/db/locks.ts'
import { addJobsLater } from '#server/platform/jobs/queue.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { conflict, invalidField, notFound } from '#server/kernel/errors.ts'
import { logAct } from '#server/people/moderation/log.ts'
import type { MaySend } from '#server/operate/webhooks/addresses.ts'
import { DELIVER_WEBHOOK, queueOf, SEALED_FOR } from '#server/operate/webhooks/delivering.ts'
import { findAddresses, PrivateAddress, type Resolve } from '#server/operate/webhooks/post.ts'
import { ATTEMPTS } from '#server/operate/webhooks/recording.ts'
import { makeSecret } from '#server/operate/webhooks/signature.ts'
import {
  deleteEndpoint,
  insertEndpoint,
  restartDelivery,
  updateEndpoint,
  rotateSecret,
} from '#server/operate/webhooks/store.ts'

export interface WebhookNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly sealing: Sealing
  readonly maySend: MaySend
  readonly resolve: Resolve
  /** True with WEBHOOK_ALLOW_ADDRESSES. Receivers in a private network may then use http. */
  readonly allowsPrivate: boolean
}

interface Draft {
  readonly url: string
  readonly description: string
  readonly events: readonly WebhookEvent[]
  readonly enabled: boolean
}

interface WithSecret {
  readonly endpoint: WebhookEndpoint
  readonly secret: string
}

const PREVIOUS_SIGNS_MS = OLD_SECRET_HOURS * 60 * 60 * 1000

type Action = 'webhookCreated' | 'webhookEdited' | 'webhookRenewed' | 'webhookDeleted'

/** @throws Refusal 400 at `url` for a blocked address; 409 when there are too many */
export async function createWebhook(
  needs: WebhookNeeds,
  viewer: Viewer,
  draft: Draft,
): Promise<WithSecret> {
  const url = await requireAddress(needs, draft.url)
  const secret = makeSecret()
  const sealed = needs.sealing.seal(secret, SEALED_FOR)
  const at = needs.clock.now()
  return needs.db.transaction().execute(async (tx) => {
    await lock(tx, lockName.webhooks)
    const made = { sealed, by: viewer.id, at, most: MOST_WEBHOOKS }
    const endpoint = await insertEndpoint(tx, { ...draft, url }, made)
    if (endpoint === null) throw conflict('webhooksTooMany', { max: MOST_WEBHOOKS })
    await noteAct(tx, viewer, { action: 'webhookCreated', endpoint, at })
    return { endpoint, secret }
  })
}

/** @throws Refusal 400 at `url`; 404 */
export async function editWebhook(
  needs: WebhookNeeds,
  viewer: Viewer,
  { id, ...draft }: Draft & { readonly id: number },
): Promise<WebhookEndpoint> {
  const url = await requireAddress(needs, draft.url)
  return needs.db.transaction().execute(async (tx) => {
    const endpoint = await updateEndpoint(tx, id, { ...draft, url })
    if (endpoint === null) throw notFound('webhookGone')
    await noteAct(tx, viewer, { action: 'webhookEdited', endpoint, at: needs.clock.now() })
    return endpoint
  })
}

/** The previous secret also signs for 24 hours, so that the receiver can switch. @throws Refusal 404 */
export async function renewSecret(
  { db, clock, sealing }: WebhookNeeds,
  viewer: Viewer,
  id: number,
): Promise<WithSecret> {
  const secret = makeSecret()
  const at = clock.now()
  const renewed = {
    sealed: sealing.seal(secret, SEALED_FOR),
    previousUntil: new Date(at.getTime() + PREVIOUS_SIGNS_MS),
  }
  return db.transaction().execute(async (tx) => {
    const endpoint = await rotateSecret(tx, id, renewed)
    if (endpoint === null) throw notFound('webhookGone')
    await noteAct(tx, viewer, { action: 'webhookRenewed', endpoint, at })
    return { endpoint, secret }
  })
}

/** @throws Refusal 404 */
export async function removeWebhook(
  { db, clock }: WebhookNeeds,
  viewer: Viewer,
  id: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const description = await deleteEndpoint(tx, id)
    if (description === null) throw notFound('webhookGone')
    const at = clock.now()
    await noteAct(tx, viewer, { action: 'webhookDeleted', endpoint: { id, description }, at })
  })
}

/** Sends it again with all its attempts. @throws Refusal 404 when there is none, or it is already pending */
export async function resendWebhook(
  { db }: WebhookNeeds,
  { id: endpointId, delivery }: { readonly id: number; readonly delivery: number },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const restarted = await restartDelivery(tx, { endpointId, id: delivery })
    if (restarted === null) throw notFound('webhookDeliveryGone')
    await addJobsLater(tx, DELIVER_WEBHOOK, [{ id: delivery }], {
      attempts: ATTEMPTS,
      queue: queueOf(restarted.host),
    })
  })
}

/** Checks the URL here, where the administrator can correct it. Each attempt checks it again. */
async function requireAddress(needs: WebhookNeeds, address: string): Promise<URL> {
  const url = new URL(address)
  if (url.username !== '' || url.password !== '' || url.hash !== '')
    throw invalidField('url', 'webhookUrlMs')
  if (url.protocol !== 'https:' && !needs.allowsPrivate) throw invalidField('url', 'webhookHttpsMs')
  // Accepts a name that doesn't resolve at the moment, because every attempt resolves it again.
  const why = await findAddresses(needs, url).then(
    () => null,
    (error: unknown) => error,
  )
  if (why instanceof PrivateAddress) throw invalidField('url', 'webhookPrivateMs')
  return url
}

interface Noted {
  readonly action: Action
  readonly endpoint: Pick<WebhookEndpoint, 'id' | 'description'>
  readonly at: Date
}

async function noteAct(tx: Tx, viewer: Viewer, { action, endpoint, at }: Noted): Promise<void> {
  const { id, description } = endpoint
  await logAct(tx, { actorId: viewer.id, action, subjectId: id, subject: description, at })
}
