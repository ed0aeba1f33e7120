/** Creates spans for requests, calls, hub methods and jobs. Does nothing without a collector. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { CallContext, Route, Viewer } from '#server/kernel/call.ts'
import type { Config } from '#server/kernel/config.ts'
import type { Log } from '#server/kernel/log.ts'
import type { HealthPart } from '#server/kernel/process/health.ts'
import {
  runAndEnd,
  runBelow,
  spanUnderWay,
  TRACEPARENT,
  traced,
  type Attributes,
  type Span,
  type SpanKind,
} from '#server/kernel/traces/spans.ts'

/** Begins a root span of this process, or returns null when it isn't sampled. */
export type BeginRoot = (
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  traceparent: string | undefined,
) => Span | null

export interface Collector {
  readonly begin: BeginRoot
  /** For `/readyz`: whether the last batch was accepted. */
  readonly part: HealthPart
  /** Sends finished spans within two seconds. Never throws. */
  close(): Promise<void>
}

interface Runs {
  readonly name: string
  run(payload: unknown, ...others: never[]): Promise<unknown>
}

export interface Traces {
  /** For `/readyz`: the collector, if there is one. */
  readonly parts: readonly HealthPart[]
  /** Creates a span for every request that reaches the framework; what it causes becomes a child. */
  observe(fastify: FastifyInstance): void
  /** Gives each call a span. */
  traceCalls(routes: readonly Route[]): Route[]
  /** Gives each job a span: a child of the one that queued it, or a root. */
  traceJobs<Kind extends Runs>(jobs: readonly Kind[]): Kind[]
  /** Runs a hub method in a span of its own. */
  readonly aroundHub: (target: string, run: () => unknown) => unknown
  /** Sends finished spans within two seconds. Never throws. */
  close(): Promise<void>
}

/** Loads tracing only when OTEL_EXPORTER_OTLP_ENDPOINT names a collector. */
export async function openTraces(config: Config, log: Log): Promise<Traces> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT } = config
  if (OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return NO_TRACES
  const { openCollector } = await import('#server/kernel/traces/collector.ts')
  const collector = openCollector({ ...config, OTEL_EXPORTER_OTLP_ENDPOINT }, log)
  const believed = config.TRUST_TRACEPARENT === '1'
  return {
    parts: [collector.part],
    observe: (fastify) => observe(fastify, collector.begin, believed),
    traceCalls: (routes) => routes.map(traceCall),
    traceJobs: (jobs) => jobs.map((each) => traceJob(each, collector.begin)),
    aroundHub: (target, run) => {
      const span = collector.begin(`hub ${target}`, 'server', { 'rpc.method': target }, undefined)
      return span === null ? run() : runAndEnd(span, async () => run())
    },
    close: () => collector.close(),
  }
}

const NO_TRACES: Traces = {
  parts: [],
  observe: () => undefined,
  traceCalls: (routes) => [...routes],
  traceJobs: (jobs) => [...jobs],
  aroundHub: (_target, run) => run(),
  close: () => Promise.resolve(),
}

const SERVER_ERROR = 500

/** `believed` trusts a caller's `traceparent`, which sets the parent and whether the request is sampled. */
function observe(fastify: FastifyInstance, begin: BeginRoot, believed: boolean): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers
    const claimed = believed && typeof traceparent === 'string' ? traceparent : undefined
    const attributes = { 'http.request.method': request.method }
    const span = begin(request.method, 'server', attributes, claimed)
    if (span === null) return done()
    spans.set(request, span)
    // The framework keeps this context while it reads a body.
    runBelow(span, done)
  })
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    spans.get(request)?.end({
      name: `${request.method} ${route}`,
      failed: reply.statusCode >= SERVER_ERROR,
      attributes: { 'http.route': route, 'http.response.status_code': reply.statusCode },
    })
    done()
  })
}

/** The kind of caller is all that a trace says about a person. */
function kindOf(viewer: Viewer | null): string {
  if (viewer === null) return 'guest'
  return viewer.suspended ? 'suspended' : viewer.role
}

function traceCall(each: Route): Route {
  const { endpoint } = each
  const name = `call ${endpoint.methods[0]} ${endpoint.path}`
  return {
    endpoint,
    run: (context: CallContext, input: unknown) => {
      const attributes = { 'user.kind': kindOf(context.viewer) }
      return traced(name, 'internal', attributes, () => {
        // The caller is known only here, after the request's span has begun.
        spanUnderWay()?.setOnRoot(attributes)
        return each.run(context, input)
      })
    },
  }
}

function traceJob<Kind extends Runs>(job: Kind, begin: BeginRoot): Kind {
  const run = (payload: unknown, ...others: never[]) => {
    const attributes = { 'messaging.operation.name': 'process', 'job.name': job.name }
    const span = begin(`job ${job.name}`, 'consumer', attributes, traceparentOf(payload))
    const work = () => job.run(payload, ...others)
    return span === null ? work() : runAndEnd(span, work)
  }
  return { ...job, run }
}

function traceparentOf(payload: unknown): string | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined
  const value: unknown = Reflect.get(payload, TRACEPARENT)
  return typeof value === 'string' ? value : undefined
}
