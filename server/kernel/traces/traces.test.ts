/** Tests traces with a real HTTP server that decodes OTLP, and with real Redis, S3 and SMTP. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, testPicture, type TestApp } from '#server/testing/app.ts'
import { attributeOf, startCollector, type TakenSpan } from '#server/testing/traces/collector.ts'
import { startRedis } from '#server/testing/redis/process.ts'
import { startS3 } from '#server/testing/s3/server.ts'
import { openSmtp } from '#server/testing/mail/smtp.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { buildConnection } from '#server/testing/http/hub.ts'
import { closeAtEnd, openTestApp } from '#server/testing/setup.ts'

/** Spans are sent once a second; a busy machine takes longer. */
const SOON = { timeout: 20_000 }
const [INTERNAL, SERVER, CLIENT, PRODUCER, CONSUMER] = [1, 2, 3, 4, 5]
const FAILED = 2

const ends: (() => Promise<unknown>)[] = []

const collector = closeAtEnd(await startCollector())
beforeEach(() => {
  collector.spans.length = 0
  collector.texts.length = 0
  collector.mood = 'well'
})
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

const findSpan = (name: string) => collector.spans.find((span) => span.name === name)
const below = (span: TakenSpan | undefined) =>
  collector.spans.filter(({ parentSpanId }) => parentSpanId === span?.spanId)

/** Waits for the first span of that name. */
async function waitForSpan(name: string): Promise<TakenSpan | undefined> {
  await expect.poll(() => findSpan(name)?.name, SOON).toBe(name)
  return findSpan(name)
}

/** Opens an app that is closed after the test. */
async function openApp(environment: Record<string, string> = {}): Promise<TestApp> {
  const app = await createTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...environment })
  ends.push(() => app.close())
  return app
}

test('a request is a trace with its call and its statements, for guests and users', async () => {
  const app = await openApp({
    OTEL_SERVICE_NAME: 'bazaar of the test',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=secret%20key,x-other=2',
  })
  const ann = await app.signUp('ann')
  const { id } = await app.publishLesson(ann)
  collector.spans.length = 0
  await app.call('GET', `/lesson/${id}`, { as: ann })
  await app.call('GET', '/course/all?page=1')
  const request = await waitForSpan('GET /api/lesson/:id')
  const guest = await waitForSpan('GET /api/course/all')
  expect(request).toMatchObject({ kind: SERVER, status: { code: 0 } })
  expect(request?.parentSpanId).toBeUndefined()
  expect(attributeOf(request, 'http.response.status_code')).toBe(200)
  expect(attributeOf(request, 'user.kind')).toBe('user')
  expect(attributeOf(guest, 'user.kind')).toBe('guest')
  const ofIt = collector.spans.filter(({ traceId }) => traceId === request?.traceId)
  const call = ofIt.find(({ name }) => name === 'call GET /lesson/{id}')
  expect(call).toMatchObject({ kind: INTERNAL, parentSpanId: request?.spanId })
  const statements = below(call)
  expect(statements.map(({ name }) => name)).toContain('SELECT lesson')
  for (const statement of statements) {
    expect(statement.kind).toBe(CLIENT)
    expect(attributeOf(statement, 'db.statement.name')).toMatch(/^[\w-]{20}$/)
  }
  for (const span of ofIt) {
    const [began, ended] = [BigInt(span.startTimeUnixNano), BigInt(span.endTimeUnixNano)]
    expect(ended).toBeGreaterThanOrEqual(began)
    // Times are cut to the microsecond in transfer.
    expect(began + 2000n).toBeGreaterThanOrEqual(BigInt(request?.startTimeUnixNano ?? 0))
    expect(ended - 2000n).toBeLessThanOrEqual(BigInt(request?.endTimeUnixNano ?? 0))
  }
  expect(collector.resource()).toMatchObject({ 'service.name': 'bazaar of the test' })
  expect(collector.headers).toMatchObject({ 'x-key': 'secret key', 'x-other': '2' })
})

test('concurrent requests are separate traces, with and without bodies', async () => {
  const app = await openApp()
  const ann = await app.signUp('ann')
  collector.spans.length = 0
  await Promise.all(
    Array.from({ length: 10 }, () => [
      app.call('GET', '/lesson/all?page=1', { as: ann }),
      app.call('POST', '/identity/login', {
        json: { username: 'ann', password: 'no such word' },
      }),
    ]).flat(),
  )
  for (const [name, call] of [
    ['GET /api/lesson/all', 'call GET /lesson/all'],
    ['POST /api/identity/login', 'call POST /identity/login'],
  ]) {
    const requests = () => collector.spans.filter((span) => span.name === name)
    await expect.poll(() => requests().length, SOON).toBe(10)
    expect(new Set(requests().map(({ traceId }) => traceId)).size).toBe(10)
    const calls = collector.spans.filter((span) => span.name === call)
    expect(new Set(calls.map(({ parentSpanId }) => parentSpanId))).toEqual(
      new Set(requests().map(({ spanId }) => spanId)),
    )
  }
})

describe('what a request causes elsewhere', async () => {
  const redis = closeAtEnd(await startRedis())
  const s3 = closeAtEnd(await startS3())
  const smtp = closeAtEnd(await openSmtp())
  const app = await openTestApp({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    REDIS_URL: redis.url,
    S3_URL: s3.url,
    SMTP_URL: smtp.url,
    MAIL_FROM: 'hello@bazaar.test',
  })
  const ann = await app.signUp('ann')

  test('a job and its mail are children of the call that queued it', async () => {
    const form = formOf({
      username: 'bob',
      email: 'bob@mail.test',
      password: 'secret of bob 1',
      image: await testPicture(),
    })
    expect((await app.call('POST', '/identity/register', { form })).status).toBe(200)
    await app.runJobs()
    expect(smtp.mails).not.toHaveLength(0)
    const sending = await waitForSpan('SMTP send')
    const job = collector.spans.find(({ spanId }) => spanId === sending?.parentSpanId)
    expect(job).toMatchObject({ name: 'job sendMail', kind: CONSUMER })
    expect(below(job).map(({ name }) => name)).toContain('SELECT mails')
    const call = collector.spans.find(({ spanId }) => spanId === job?.parentSpanId)
    expect(call).toMatchObject({ name: 'call POST /identity/register', traceId: job?.traceId })
    const request = collector.spans.find(({ spanId }) => spanId === call?.parentSpanId)
    expect(request?.name).toBe('POST /api/identity/register')
  })

  test('messages to other nodes and writes to the bucket are children of their request', async () => {
    await app.publishLesson(ann)
    const request = await waitForSpan('POST /api/lesson/create')
    const names = () =>
      collector.spans.filter(({ traceId }) => traceId === request?.traceId).map(({ name }) => name)
    await expect.poll(names, SOON).toContain('publish changes')
    expect(names()).toContain('S3 HeadObject')
    expect(findSpan('publish changes')?.kind).toBe(PRODUCER)
  })

  test('a hub call is a trace with its statements, and a failed one says so', async () => {
    const hub = buildConnection(app, ann.session.accessToken)
    await hub.start()
    try {
      await hub.invoke('Subscribe', 'ann')
      await expect(
        hub.invoke('SendMessageToGroup', 'nobody', 'a secret word', ''),
      ).rejects.toThrow()
    } finally {
      await hub.stop()
    }
    const subscribing = await waitForSpan('hub subscribe')
    expect(subscribing).toMatchObject({ kind: SERVER, status: { code: 0 } })
    expect(below(subscribing).map(({ name }) => name)).toContain('SELECT users')
    expect(await waitForSpan('hub sendmessagetogroup')).toMatchObject({ status: { code: FAILED } })
  })

  test('no personal data, values, keys or addresses are sent', async () => {
    await app.call('GET', `/identity/profile/${ann.session._id}?search=heartbreak`, { as: ann })
    await app.call('POST', '/identity/login', {
      json: { username: 'ann', password: 'hunter2hunter2' },
    })
    await waitForSpan('GET /api/identity/profile/:id')
    await waitForSpan('POST /api/identity/login')
    const sent = collector.texts.join('\n')
    const words = [
      ann.session._id,
      'heartbreak',
      'hunter2',
      'people.example',
      'mail.test',
      'Bearer',
    ]
    for (const word of [...words, ann.session.accessToken.slice(0, 20), '"ann"', 'a secret word'])
      expect(sent).not.toContain(word)
  })
})

describe('a traceparent that a caller sends', () => {
  const traceId = 'a'.repeat(32)
  const call = (app: TestApp, header: string) =>
    app.call('GET', '/lesson/all?page=1', { headers: { traceparent: header } })

  test('is not trusted by default', async () => {
    const app = await openApp()
    await call(app, `00-${traceId}-${'b'.repeat(16)}-01`)
    const request = await waitForSpan('GET /api/lesson/all')
    expect(request?.traceId).not.toBe(traceId)
    expect(request?.parentSpanId).toBeUndefined()
  })

  test('is the parent with TRUST_TRACEPARENT=1, if it is valid', async () => {
    const app = await openApp({ TRUST_TRACEPARENT: '1' })
    await call(app, `00-${traceId}-${'b'.repeat(16)}-01`)
    expect(await waitForSpan('GET /api/lesson/all')).toMatchObject({
      traceId,
      parentSpanId: 'b'.repeat(16),
    })
    collector.spans.length = 0
    for (const wrong of [
      '',
      'abc',
      `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`,
      `00-${traceId}-01`,
    ])
      await call(app, wrong)
    // The caller's decision not to sample is followed too.
    await call(app, `00-${'c'.repeat(32)}-${'b'.repeat(16)}-00`)
    await app.call('GET', '/course/all?page=1')
    await waitForSpan('GET /api/course/all')
    const requests = collector.spans.filter(({ name }) => name === 'GET /api/lesson/all')
    expect(requests).toHaveLength(4)
    for (const request of requests) expect(request.parentSpanId).toBeUndefined()
  })
})

test('a sampler is set by name and ratio', async () => {
  const none = await openApp({
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
  })
  await none.call('GET', '/lesson/all?page=1')
  const all = await openApp()
  await all.call('GET', '/lesson/all?page=1')
  await waitForSpan('GET /api/lesson/all')
  for (const end of ends.splice(0).toReversed()) await end()
  expect(collector.spans.filter(({ name }) => name === 'GET /api/lesson/all')).toHaveLength(1)
})
