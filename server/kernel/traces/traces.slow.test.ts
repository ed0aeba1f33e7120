/** Tests a failing collector, and a process without one. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createTestApp, TEST_SECRET, type TestApp } from '#server/testing/app.ts'
import { addressOf } from '#server/testing/backup/commands.ts'
import { startProduct } from '#server/testing/product.ts'
import { startCollector, type TestCollector } from '#server/testing/traces/collector.ts'

/** Spans are sent once a second; a busy machine takes longer. */
const SOON = { timeout: 20_000 }

const collector = await startCollector()
beforeEach(() => {
  collector.spans.length = 0
  collector.mood = 'well'
})
afterAll(() => collector.close())

async function readiness(app: TestApp): Promise<{ status: string; says?: Record<string, string> }> {
  const answer = await fetch(`${app.url}/readyz`)
  return (await answer.json()) as { status: string; says?: Record<string, string> }
}

test.each<[string, TestCollector['mood']]>([
  ['answers 400', 400],
  ['answers 500', 500],
  ['hangs', 'hang'],
])(
  'with a collector that %s, requests are served, /readyz reports it, and traces resume',
  async (_, mood) => {
    collector.mood = mood
    const app = await createTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
    const before = collector.asked
    expect((await app.call('GET', '/lesson/all?page=1')).status).toBe(200)
    await expect.poll(() => collector.asked, SOON).toBeGreaterThan(before)
    // If requests waited for the collector, this would not return before it.
    expect((await app.call('GET', '/lesson/all?page=1')).status).toBe(200)
    await expect.poll(async () => (await readiness(app)).status, SOON).toBe('degraded')
    expect((await readiness(app)).says).toEqual({
      traces: expect.stringContaining('OTEL_EXPORTER_OTLP_ENDPOINT'),
    })
    collector.mood = 'well'
    await app.call('GET', '/course/all?page=1')
    const names = () => collector.spans.map(({ name }) => name)
    await expect.poll(names, SOON).toContain('GET /api/course/all')
    await expect.poll(async () => (await readiness(app)).status, SOON).toBe('ready')
    await app.close()
  },
)

test('a collector that hangs or is gone delays the exit by only seconds', async () => {
  collector.mood = 'hang'
  for (const url of [collector.url, 'http://127.0.0.1:9']) {
    const app = await createTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: url })
    await app.call('GET', '/lesson/all?page=1')
    const began = performance.now()
    await app.close()
    // The limit is two seconds; a busy machine adds time to the rest of the shutdown.
    expect(performance.now() - began).toBeLessThan(20_000)
  }
})

test('without a collector nothing of OpenTelemetry’s SDK is loaded', async () => {
  const app = await createTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  const hook = `import { registerHooks } from 'node:module'
    registerHooks({ load(url, context, next) {
      if (/opentelemetry\\/(?!api)/.test(url)) process.stderr.write('LOADED ' + url + '\\n')
      return next(url, context)
    } })`
  const loadedWith = async (environment: Record<string, string>) => {
    const product = await startProduct({
      DATABASE_URL: addressOf(app.connection),
      AUTH_SECRETS: TEST_SECRET,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}`,
      ...environment,
    })
    try {
      await fetch(`${product.url}/api/lesson/all?page=1`)
      return product.complained.filter((line) => line.startsWith('LOADED'))
    } finally {
      await product.stop()
    }
  }
  expect(await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })).not.toEqual([])
  expect(await loadedWith({})).toEqual([])
  await app.close()
})
