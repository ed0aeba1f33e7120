/** Tests a single delivery attempt with hanging receivers and replaced keys. */
import { beforeEach, expect, test } from 'vitest'
import type { WebhookDelivery, WebhookEndpoint } from '#contract/webhooks.ts'
import { createSealing } from '#server/people/accounts/factors/sealing.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { TEST_SECRET } from '#server/testing/app.ts'
import { settleAll } from '#server/testing/learning/notices.ts'
import { closeAtEnd, openTestApp } from '#server/testing/setup.ts'
import { startReceiver } from '#server/testing/webhooks/receiver.ts'
import { createDeliverer, type DeliveringNeeds } from '#server/operate/webhooks/delivering.ts'
import { createWebhookNeeds } from '#server/operate/webhooks/needs.ts'

const app = await openTestApp({ WEBHOOK_ALLOW_ADDRESSES: '127.0.0.1' })
const receiver = closeAtEnd(await startReceiver())
const root = await app.signUp('root')
await setRole(app.app.database.db, 'root', 'administrator')
const json = {
  url: receiver.url,
  description: 'The shop window',
  events: ['user.registered'],
  enabled: true,
}
const { body } = await app.call<{ endpoint: WebhookEndpoint }>('POST', '/admin/webhooks', {
  as: root,
  json,
})
const endpoint = body.endpoint
beforeEach(() => {
  receiver.received.length = 0
  receiver.answer = (response) => void response.writeHead(204).end()
})

/** Newest first. */
async function deliveries(): Promise<WebhookDelivery[]> {
  const path = `/admin/webhooks/${endpoint.id}/deliveries`
  return (await app.call<WebhookDelivery[]>('GET', path, { as: root })).body
}

/** Creates a pending delivery. */
async function happen(name: string): Promise<number> {
  await app.signUp(name)
  await settleAll(app)
  return (await deliveries())[0]?.id ?? 0
}

const delivererWith = (change: Partial<DeliveringNeeds>) =>
  createDeliverer({ ...createWebhookNeeds(app.app.core), ...change })
const context = { signal: new AbortController().signal, attempt: 1, maxAttempts: 15 }

test('a host that did not respond is not contacted for a while, and others are', async () => {
  const deliver = delivererWith({ patienceMs: 200 })
  receiver.answer = () => undefined
  const [first, second] = [await happen('ann'), await happen('bob')]
  await expect(deliver({ id: first }, context)).rejects.toThrow(
    'it did not answer within 0.2 seconds',
  )
  await expect(deliver({ id: second }, context)).rejects.toThrow('it did not answer a moment ago')
  expect(receiver.received).toHaveLength(1)
  // Another process has no backoff for the host yet.
  receiver.answer = (response) => void response.writeHead(204).end()
  await delivererWith({})({ id: second }, context)
  expect((await deliveries())[0]).toMatchObject({ state: 'delivered', attempts: 2 })
})

test('a secret encrypted with an older key still signs and is encrypted again; without its key that is reported', async () => {
  const present = 'another-secret-another-secret-another!'
  const id = await happen('carl')
  const replaced = delivererWith({ sealing: createSealing([present], 'webhooks') })
  await expect(replaced({ id }, context)).rejects.toThrow('not in AUTH_SECRETS any more')
  expect(receiver.received).toEqual([])
  const both = createSealing([present, TEST_SECRET], 'webhooks')
  await delivererWith({ sealing: both })({ id }, context)
  expect(receiver.received).toHaveLength(1)
  await replaced({ id: await happen('dora') }, context)
  expect(receiver.received).toHaveLength(2)
})
