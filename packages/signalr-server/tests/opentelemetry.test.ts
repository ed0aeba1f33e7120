/** Tests the tracing example with the real SDK. */
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { expect, test } from 'vitest'
import { traceHub } from '../examples/opentelemetry.ts'
import { HubError } from '../src/hub.ts'
import { closeAfterEach, collect } from '../testing/clients.ts'
import { listen } from '../testing/listener.ts'
import { startTestServer } from '../testing/test-server.ts'

const closing = closeAfterEach()

test('each call, connect and disconnect is a span, and failures omit the message', async () => {
  const exporter = new InMemorySpanExporter()
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  const server = await startTestServer({
    filters: [traceHub(provider.getTracer('hub'))],
    definition: {
      methods: {
        Id: ({ connectionId }) => connectionId,
        Refuse: () => {
          throw new HubError('what ann wrote')
        },
      },
      streams: { Count: () => [1, 2] },
    },
  })
  closing.push(server.close, () => provider.shutdown())
  const { connection, id } = await listen(`${server.url}/testhub`)
  await connection.invoke('refuse').catch(() => {})
  await collect(connection, 'Count')
  await connection.stop()
  const names = () => exporter.getFinishedSpans().map(({ name }) => name)
  await expect
    .poll(names)
    .toEqual(['hub connect', 'hub Id', 'hub Refuse', 'hub Count', 'hub disconnect'])
  const [, asked, refused, counted] = exporter.getFinishedSpans()
  expect(asked).toMatchObject({
    kind: SpanKind.SERVER,
    status: { code: SpanStatusCode.UNSET },
    attributes: { 'rpc.method': 'Id', 'signalr.kind': 'method', 'signalr.connection': id },
  })
  expect(refused?.status.code).toBe(SpanStatusCode.ERROR)
  expect(refused?.attributes['error.type']).toBe('HubException')
  expect(JSON.stringify([refused?.attributes, refused?.events, refused?.status])).not.toContain(
    'ann',
  )
  expect(counted?.attributes['signalr.kind']).toBe('stream')
})
