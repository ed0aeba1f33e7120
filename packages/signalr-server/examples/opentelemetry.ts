/** Calls, comings and goings of a hub as spans. It knows the interface of OpenTelemetry alone, no SDK. */
import { SpanKind, SpanStatusCode, type Attributes, type Tracer } from '@opentelemetry/api'
import type { HubFilter } from 'signalr-hub-server'

/** For `filters` of a hub, as the first: what the other filters do is within its spans. */
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
        // Only the kind of what was thrown: its words may hold what a person wrote.
        span.setAttribute('error.type', error instanceof Error ? error.name : typeof error)
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    })
  return {
    // Of a stream the span ends when it begins to run: it may go on for hours.
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
