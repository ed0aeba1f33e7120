/**
 * Records calls, connects and disconnects of a hub as spans. Depends only on the OpenTelemetry API, not on an SDK.
 */
import { SpanKind, SpanStatusCode, type Attributes, type Tracer } from '@opentelemetry/api'
import type { HubFilter } from 'signalr-hub-server'

/** Must be the first of the hub's `filters`, so that its spans contain the other filters. */
export function traceHub(tracer: Tracer): HubFilter {
  const within = <Result>(
    name: string,
    attributes: Attributes,
    run: () => Promise<Result>,
  ): Promise<Result> =>
    tracer.startActiveSpan(name, { kind: SpanKind.SERVER, attributes }, async (span) => {
      try {
        return await run()
      } catch (error) {
        // Only the type of the error, because its message may contain what a person wrote.
        span.setAttribute('error.type', error instanceof Error ? error.name : typeof error)
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    })
  return {
    // The span of a stream ends when the stream starts, because it may run for hours.
    invoke: ({ method, kind, context }, next) => {
      const attributes = {
        'rpc.system': 'signalr',
        'rpc.method': method,
        'signalr.kind': kind,
        'signalr.connection': context.connectionId,
      }
      return within(`hub ${method}`, attributes, next)
    },
    connect: ({ connectionId }, next) =>
      within('hub connect', { 'signalr.connection': connectionId }, next),
    disconnect: ({ connectionId }, _error, next) =>
      within('hub disconnect', { 'signalr.connection': connectionId }, next),
  }
}
