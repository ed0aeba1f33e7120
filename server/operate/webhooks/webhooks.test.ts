import { Webhook } from 'standardwebhooks'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { WEBHOOK_EVENTS, type WebhookDelivery, type WebhookEndpoint } from '#contract/webhooks.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { signUpAll } from '#server/testing/people.ts'
import { loggedBy } from '#server/testing/privacy/log-lines.ts'
import { closeAtEnd, openTestApp } from '#server/testing/setup.ts'
import { startReceiver, type Received } from '#server/testing/webhooks/receiver.ts'

interface Made {
  readonly endpoint: WebhookEndpoint
  readonly secret: string
}

/** The body of a request. */
interface Sent {
  readonly type: string
  readonly timestamp: string
  readonly data: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

const rows = async (query: string): Promise<Record<string, unknown>[]> =>
  (await app.app.database.pool.query<Record<string, unknown>>(query)).rows

const app = await openTestApp({ WEBHOOK_ALLOW_ADDRESSES: '127.0.0.1', LOG_LEVEL: 'info' })
const receiver = closeAtEnd(await startReceiver())
const { root, ann, bob } = await signUpAll(app, 'root', 'ann', 'bob')
await setRole(app.app.database.db, 'root', 'administrator')
beforeEach(async () => {
  app.clock.time = null
  receiver.received.length = 0
  receiver.answer = (response) => void response.writeHead(204).end()
  for (const { id } of (await list()).body) await call('DELETE', `/${id}`)
  await app.runJobs()
})

const call = <Body>(method: string, path = '', json?: unknown, as: Person = root) =>
  app.call<Body>(method, `/admin/webhooks${path}`, { as, ...(json !== undefined && { json }) })
const list = () => call<WebhookEndpoint[]>('GET')
const draft = (change: Record<string, unknown> = {}) => ({
  url: receiver.url,
  description: 'The shop window',
  events: [...WEBHOOK_EVENTS],
  enabled: true,
  ...change,
})

async function make(change: Record<string, unknown> = {}): Promise<Made> {
  const { status, body } = await call<Made>('POST', '', draft(change))
  expect(status).toBe(200)
  return body
}

const deliveriesOf = async ({ endpoint }: Made): Promise<WebhookDelivery[]> =>
  (await call<WebhookDelivery[]>('GET', `/${endpoint.id}/deliveries`)).body

/** Verifies a request with the library that receivers use. */
const verified = ({ secret }: Made, came: Received | undefined): Sent =>
  new Webhook(secret).verify(came?.body ?? '', came?.headers as Record<string, string>) as Sent

/** Runs pending retries immediately. */
async function retry(): Promise<void> {
  await rows(`update graphile_worker._private_jobs set run_at = now() returning id`)
  await app.runJobs()
}

test.each([
  ['url', 'ftp://hooks.test/'],
  ['url', 'hooks.test'],
  ['url', 'https://ann:secret@hooks.test/'],
  ['url', 'https://hooks.test/#part'],
  ['url', 'http://127.0.0.2:8080/'],
  ['url', 'http://169.254.169.254/latest'],
  ['url', 'https://[::1]/'],
  ['description', 'ab'],
  ['events', []],
  ['events', ['lesson.deleted']],
])('a wrong %s (%j) is refused at its field', async (field, value) => {
  const { status, body } = await call<{ errors: Record<string, unknown> }>(
    'POST',
    '',
    draft({ [field]: value }),
  )
  expect(status).toBe(400)
  expect(Object.keys(body.errors)).toEqual([field])
  expect((await list()).body).toEqual([])
})

test('without WEBHOOK_ALLOW_ADDRESSES nothing goes to this machine, nor without TLS', async () => {
  const other = await createTestApp({ LOG_LEVEL: 'info' })
  onTestFinished(() => other.close())
  const boss = await other.signUp('boss')
  await setRole(other.app.database.db, 'boss', 'administrator')
  const create = (url: string) =>
    other.call('POST', '/admin/webhooks', { as: boss, json: draft({ url }) })
  const tooLong = `https://hooks.test/${'a'.repeat(2000)}`
  const local = ['https://localhost/', 'https://127.0.0.1/']
  for (const url of [receiver.url, ...local, 'http://8.8.8.8/', tooLong]) {
    expect((await create(url)).status).toBe(400)
    const line = { status: 400, person: boss.session._id, refused: expect.any(String) }
    expect(loggedBy(other, 'request').at(-1)).toMatchObject(line)
  }
  expect(other.logged.join('\n')).not.toMatch(/localhost|8\.8\.8\.8|hooks\.test/)
  expect((await create('https://8.8.8.8/')).status).toBe(200)
})

test('events contain ids and public information, signed according to Standard Webhooks', async () => {
  const made = await make()
  const lesson = await app.publishLesson(ann, { title: 'Knots' })
  const course = await app.publishCourse(ann, { title: 'All knots' })
  await app.give(bob, 10_000)
  await done(app, bob, `POST /lesson/buy/${lesson.id}`)
  await done(app, bob, `POST /course/buy/${course.id}`)
  const comment = await app.call<{ id: number }>('POST', `/comment/create/${lesson.id}`, {
    as: bob,
    json: { text: 'A private opinion of mine.' },
  })
  const flag = { kind: 'lesson', id: String(lesson.id), text: 'A private reproach.' }
  expect((await app.call('POST', '/flag', { as: bob, json: flag })).status).toBeLessThan(300)
  const eve = await app.signUp('eve')
  const suspended = await app.call('POST', `/admin/suspend/${eve.session._id}`, {
    as: root,
    json: { reason: 'A private reason.' },
  })
  expect(suspended.status).toBeLessThan(300)
  await app.runJobs()
  const sent = receiver.received.map((came) => verified(made, came))
  const of = (type: string) => sent.filter((each) => each.type === type).map(({ data }) => data)
  const [annId, bobId] = [ann.session._id, bob.session._id]
  const knots = { id: lesson.id, title: 'Knots', url: `${app.url}/lesson/details/${lesson.id}` }
  const owner = { id: annId, username: 'ann', url: `${app.url}/profile/${annId}` }
  expect(of('lesson.published')).toContainEqual({ lesson: knots, owner })
  expect(of('lesson.published')).toHaveLength(7)
  expect(of('course.published')).toMatchObject([{ course: { id: course.id, title: 'All knots' } }])
  expect(of('lesson.sold')).toEqual([
    { lesson: knots, owner, price: expect.any(Number), buyer: { id: bobId } },
  ])
  expect(of('course.sold')).toMatchObject([{ course: { id: course.id }, buyer: { id: bobId } }])
  expect(of('comment.created')).toMatchObject([
    { comment: { id: comment.body.id }, lesson: knots, author: { id: bobId, username: 'bob' } },
  ])
  expect(of('report.created')).toMatchObject([
    { report: { kind: 'lesson', subjectId: String(lesson.id) }, reporter: { id: bobId } },
  ])
  for (const type of ['user.registered', 'user.suspended'])
    expect(of(type)).toMatchObject([{ user: { id: eve.session._id, username: 'eve' } }])
  const bodies = receiver.received.map(({ body }) => body).join('\n')
  for (const word of ['people.example', '@', 'private']) expect(bodies).not.toContain(word)
  expect(receiver.received[0]).toMatchObject({ path: '/hook', method: 'POST' })
  expect(receiver.received[0]?.headers['content-type']).toBe('application/json')
  // Each event has its own id, and no other key verifies it.
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(
    sent.length,
  )
  const [first] = receiver.received
  expect(() => verified({ ...made, secret: `whsec_${'A'.repeat(44)}` }, first)).toThrow()
})

test('it receives only the selected events, and none while it is disabled', async () => {
  const made = await make({ events: ['user.registered'] })
  await app.publishLesson(ann)
  await app.signUp('carl')
  await app.runJobs()
  expect(receiver.received.map(({ body }) => (JSON.parse(body) as Sent).type)).toEqual([
    'user.registered',
  ])
  await call('POST', `/${made.endpoint.id}`, draft({ events: ['user.registered'], enabled: false }))
  await app.signUp('dora')
  await app.runJobs()
  expect(receiver.received).toHaveLength(1)
  expect(await deliveriesOf(made)).toHaveLength(1)
})

test('refused actions send nothing, and repeated forms send one event', async () => {
  await make()
  const draftId = '0190a6f0-0000-7000-8000-00000000000a'
  const once = await app.publishLesson(ann, { draftId })
  const again = await app.publishLesson(ann, { draftId })
  expect(again.id).toBe(once.id)
  const buy = () => app.call('POST', `/lesson/buy/${once.id}`, { as: bob })
  await app.give(bob, 1000)
  expect([(await buy()).status, (await buy()).status]).toEqual([200, 409])
  const flag = { kind: 'lesson', id: String(once.id), text: 'The same again.' }
  for (let n = 0; n < 2; n += 1) await app.call('POST', '/flag', { as: bob, json: flag })
  await app.runJobs()
  const types = receiver.received.map(({ body }) => (JSON.parse(body) as Sent).type)
  expect(types.toSorted()).toEqual(['lesson.published', 'lesson.sold', 'report.created'])
})

test('the secret is shown once, stored encrypted, and signs for another day after its replacement', async () => {
  const made = await make({ events: ['user.registered'] })
  expect(made.secret).toMatch(/^whsec_[A-Za-z\d+/]{43}=$/)
  expect(JSON.stringify((await list()).body)).not.toContain('whsec_')
  const stored = await rows('select sealed_secret from webhook_endpoints')
  expect(String(stored[0]?.['sealed_secret'])).not.toContain(made.secret.slice(6, 30))
  const { body } = await call<Made>('POST', `/${made.endpoint.id}/secret`)
  await app.signUp('fred')
  await app.runJobs()
  for (const known of [made, body])
    expect(verified(known, receiver.received[0])).toMatchObject({ type: 'user.registered' })
  const until = Date.parse((await list()).body[0]?.previousSecretUntil ?? '')
  expect((until - Date.now()) / 3_600_000).toBeCloseTo(24, 1)
  // A second replacement invalidates the first secret.
  const third = (await call<Made>('POST', `/${made.endpoint.id}/secret`)).body
  await app.signUp('greta')
  await app.runJobs()
  expect(() => verified(made, receiver.received[1])).toThrow()
  for (const known of [body, third]) verified(known, receiver.received[1])
})

test('a day after a replacement the old secret is deleted', async () => {
  const made = await make({ events: ['user.registered'] })
  const { body } = await call<Made>('POST', `/${made.endpoint.id}/secret`)
  await app.app.database.pool.query(
    "update webhook_endpoints set previous_until = now() - interval '1 second'",
  )
  await app.signUp('henry')
  await app.runJobs()
  expect(() => verified(made, receiver.received[0])).toThrow()
  verified(body, receiver.received[0])
  await rows(`select graphile_worker.add_job('clearWebhooks')`)
  await app.runJobs()
  expect(
    await rows('select previous_sealed_secret, previous_until from webhook_endpoints'),
  ).toEqual([{ previous_sealed_secret: null, previous_until: null }])
})

test('a receiver that responds with 500 gets the event again, with the same id, until it accepts it', async () => {
  const made = await make({ events: ['user.registered'] })
  receiver.answer = (response) => void response.writeHead(500).end('<h1>It broke</h1>')
  await app.signUp('gina')
  await app.runJobs()
  expect(await deliveriesOf(made)).toMatchObject([
    {
      state: 'waiting',
      attempts: 1,
      status: 500,
      answer: '<h1>It broke</h1>',
      error: 'it answered 500',
    },
  ])
  expect((await list()).body[0]?.failingSince).not.toBeNull()
  receiver.answer = (response) => void response.writeHead(200).end('thanks')
  await retry()
  expect(await deliveriesOf(made)).toMatchObject([
    { state: 'delivered', attempts: 2, status: 200, answer: 'thanks', error: null },
  ])
  expect((await list()).body[0]?.failingSince).toBeNull()
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(ids).toHaveLength(2)
  expect(ids[0]).toBe(ids[1])
})

test('it fails after the last attempt, and an administrator can send it again', async () => {
  const made = await make({ events: ['user.registered'] })
  receiver.answer = (response) => void response.writeHead(503).end()
  await app.signUp('ivan')
  for (let attempt = 1; attempt <= 15; attempt += 1) await retry()
  expect(await deliveriesOf(made)).toMatchObject([{ state: 'failed', attempts: 15 }])
  expect(receiver.received).toHaveLength(15)
  expect(loggedBy(app, 'a webhook was given up').at(-1)).toMatchObject({
    webhook: made.endpoint.id,
    why: expect.stringContaining('503'),
  })
  expect(app.logged.join('\n')).not.toContain(made.secret)
  await retry()
  expect(receiver.received).toHaveLength(15)
  receiver.answer = (response) => void response.writeHead(204).end()
  const [failed] = await deliveriesOf(made)
  const resend = () => call('POST', `/${made.endpoint.id}/deliveries/${failed?.id}/resend`)
  expect((await resend()).status).toBe(204)
  // It is already pending.
  expect((await resend()).status).toBe(404)
  await app.runJobs()
  expect(await deliveriesOf(made)).toMatchObject([{ state: 'delivered', attempts: 16 }])
  const [first, last] = [receiver.received[0], receiver.received.at(-1)]
  expect(last?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
})

test('an endpoint without a successful delivery for three days, or that responds with 410, is disabled', async () => {
  const start = new Date()
  const made = await make({ events: ['user.registered'] })
  receiver.answer = (response) => void response.writeHead(500).end()
  await app.signUp('jane')
  await app.runJobs()
  app.clock.time = new Date(start.getTime() + 3 * DAY_MS - HOUR_MS)
  await retry()
  expect(await rows('select enabled from webhook_endpoints')).toEqual([{ enabled: true }])
  app.clock.time = new Date(start.getTime() + 3 * DAY_MS + HOUR_MS)
  await retry()
  await retry()
  expect(receiver.received).toHaveLength(3)
  app.clock.time = null
  expect((await list()).body[0]).toMatchObject({ enabled: false, givenUp: expect.any(String) })
  expect(await deliveriesOf(made)).toMatchObject([{ state: 'failed' }])
  // Enabling it clears its failures.
  await call('POST', `/${made.endpoint.id}`, draft({ events: ['user.registered'] }))
  expect((await list()).body[0]).toMatchObject({ enabled: true, givenUp: null, failingSince: null })
  receiver.answer = (response) => void response.writeHead(410).end()
  await app.signUp('karl')
  await app.runJobs()
  expect((await list()).body[0]).toMatchObject({ enabled: false })
  expect((await deliveriesOf(made))[0]).toMatchObject({ state: 'failed', attempts: 1, status: 410 })
})

test('a deleted endpoint receives no pending events', async () => {
  const made = await make({ events: ['user.registered'] })
  await app.signUp('lena')
  expect((await call('DELETE', `/${made.endpoint.id}`)).status).toBe(204)
  await app.runJobs()
  expect(receiver.received).toEqual([])
  expect((await call('DELETE', `/${made.endpoint.id}`)).status).toBe(404)
  expect((await call('POST', `/${made.endpoint.id}`, draft())).status).toBe(404)
})

test('there are at most twenty, and each action of an administrator is logged', async () => {
  for (let n = 0; n < 20; n += 1) await make({ events: ['user.suspended'] })
  expect((await call('POST', '', draft())).status).toBe(409)
  const [first] = (await list()).body
  await call('POST', `/${first?.id}`, draft({ description: 'Another one' }))
  await call('POST', `/${first?.id}/secret`)
  await call('DELETE', `/${first?.id}`)
  const { body } = await app.call<{ action: string; subject: string }[]>('GET', '/admin/log', {
    as: root,
  })
  expect(body.slice(0, 4).map(({ action, subject }) => `${action} ${subject}`)).toEqual([
    'webhookDeleted Another one',
    'webhookRenewed Another one',
    'webhookEdited Another one',
    'webhookCreated The shop window',
  ])
})

test('what happened a month ago, and what names an erased person, is deleted', async () => {
  const made = await make({ events: ['user.registered', 'lesson.published'] })
  const mia = await app.signUp('mia')
  await app.publishLesson(ann)
  await app.runJobs()
  expect(await deliveriesOf(made)).toHaveLength(2)
  const erased = await app.call('POST', '/identity/erase', {
    as: mia,
    json: { password: mia.password },
  })
  expect(erased.status).toBe(204)
  await app.runJobs()
  expect((await deliveriesOf(made)).map(({ type }) => type)).toEqual(['lesson.published'])
  app.clock.time = new Date(Date.now() + 31 * DAY_MS)
  await rows(`select graphile_worker.add_job('clearWebhooks')`)
  await app.runJobs()
  expect(await rows('select from webhook_events')).toEqual([])
  expect(await rows('select from webhook_deliveries')).toEqual([])
})
