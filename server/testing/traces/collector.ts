/** An OpenTelemetry collector for tests. It accepts OTLP as JSON over HTTP, and can simulate failures. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface TakenSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status: { readonly code: number }
  readonly attributes: readonly {
    readonly key: string
    readonly value: Readonly<Record<string, unknown>>
  }[]
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: TakenSpan['attributes'] }
    readonly scopeSpans: readonly { readonly spans: readonly TakenSpan[] }[]
  }[]
}

export interface TestCollector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string
  readonly spans: TakenSpan[]
  /** Raw bodies of accepted requests. */
  readonly texts: string[]
  /** `well`, an HTTP status to return, or `hang` to send no response. */
  mood: 'well' | 'hang' | number
  /** Number of requests, accepted or not. */
  asked: number
  /** Headers of the last request. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Attributes of the resource, such as `service.name`. */
  resource(): Readonly<Record<string, unknown>>
  close(): Promise<void>
}

/** Returns undefined if the span has no such attribute. */
export function attributeOf(span: TakenSpan | undefined, key: string): unknown {
  const value = span?.attributes.find((each) => each.key === key)?.value
  return value === undefined ? undefined : Object.values(value)[0]
}

/** Starts a collector on a free local port. */
export async function startCollector(): Promise<TestCollector> {
  let resource: TakenSpan['attributes'] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      collector.asked += 1
      collector.headers = request.headers
      if (collector.mood === 'hang') return
      if (collector.mood !== 'well' || request.url !== '/v1/traces') {
        response.writeHead(collector.mood === 'well' ? 404 : collector.mood).end('no')
        return
      }
      const text = Buffer.concat(pieces).toString()
      const { resourceSpans } = JSON.parse(text) as Sent
      collector.texts.push(text)
      for (const each of resourceSpans) {
        resource = each.resource.attributes
        for (const { spans } of each.scopeSpans) collector.spans.push(...spans)
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const collector: TestCollector = {
    url: `http://127.0.0.1:${port}`,
    spans: [],
    texts: [],
    mood: 'well',
    asked: 0,
    headers: {},
    resource: () =>
      Object.fromEntries(resource.map(({ key, value }) => [key, Object.values(value)[0]])),
    close: async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
  return collector
}
