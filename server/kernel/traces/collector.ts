/**
 * Exports spans with OpenTelemetry's libraries: sampling, a bounded queue, OTLP over HTTP. Loaded only with a
 * collector (traces.ts), whose failures lose spans but delay nobody.
 */
import { hostname } from 'node:os'
import {
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind as Kind,
  SpanStatusCode,
  trace,
  type Context,
  type Span as LibrarySpan,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace'
import type { Config } from '#server/kernel/config.ts'
import type { Log } from '#server/kernel/log.ts'
import { PartAway, type HealthPart } from '#server/kernel/process/health.ts'
import type { Span, SpanKind } from '#server/kernel/traces/spans.ts'
import type { Collector } from '#server/kernel/traces/traces.ts'
import { packageVersion } from '#server/kernel/version.ts'

type TraceSettings = Pick<
  Config,
  | 'OTEL_EXPORTER_OTLP_HEADERS'
  | 'OTEL_SERVICE_NAME'
  | 'OTEL_TRACES_SAMPLER'
  | 'OTEL_TRACES_SAMPLER_ARG'
> & { readonly OTEL_EXPORTER_OTLP_ENDPOINT: string }

/** Spans in the queue, about 2 MB; further ones are dropped. */
const MOST_WAITING = 2048
const BATCH = 512
const EVERY_MS = 1000
/** The time for one batch in ms, all tries included. */
const PATIENCE_MS = 5000
const LAST_MS = 2000
/** Characters of an attribute; ours are shorter, and anything longer is cut. */
const MOST_TEXT = 200

const AWAY =
  'takes no spans, so they are dropped: see that the collector of OTEL_EXPORTER_OTLP_ENDPOINT runs, can be reached from here and lets us in'

const KINDS: Readonly<Record<SpanKind, Kind>> = {
  internal: Kind.INTERNAL,
  server: Kind.SERVER,
  client: Kind.CLIENT,
  producer: Kind.PRODUCER,
  consumer: Kind.CONSUMER,
}

/** Doesn't check whether the collector responds. Registers nothing globally. */
export function openCollector(settings: TraceSettings, log: Pick<Log, 'warn' | 'info'>): Collector {
  const { exporter, part } = watchExporter(createExporter(settings), log)
  const resource = resourceFromAttributes({
    'service.name': settings.OTEL_SERVICE_NAME,
    'service.version': packageVersion(),
    'service.instance.id': `${hostname()}:${process.pid}`,
  }).merge(detectResources({ detectors: [resourceAttributesEnvDetector] }))
  const provider = new TracerProvider({
    resource,
    sampler: createSampler(settings),
    spanLimits: { attributeValueLengthLimit: MOST_TEXT },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: MOST_WAITING,
        maxExportBatchSize: BATCH,
        scheduledDelayMillis: EVERY_MS,
        exportTimeoutMillis: PATIENCE_MS + 1000,
      }),
    ],
  })
  const tracer = provider.getTracer('knowledge-bazaar', packageVersion())
  return {
    begin: (name, kind, attributes, traceparent) => {
      const parent = readTraceparent(traceparent)
      const above = parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent)
      const now = startClock()
      const options = { kind: KINDS[kind], attributes, startTime: now() }
      const span = tracer.startSpan(name, options, above)
      return span.isRecording() ? toSpan({ tracer, now, root: span }, span, above) : null
    },
    part,
    close: async () => {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, LAST_MS)))
      const sent = provider.shutdown().catch(() => undefined)
      await Promise.race([sent, late]).finally(() => clearTimeout(timer))
    },
  }
}

/** Exports JSON to `/v1/traces` below the configured address. */
function createExporter(settings: TraceSettings): SpanExporter {
  return new OTLPTraceExporter({
    url: `${settings.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/+$/, '')}/v1/traces`,
    headers: { ...settings.OTEL_EXPORTER_OTLP_HEADERS },
    timeoutMillis: PATIENCE_MS,
  })
}

/** Logs once when batches are lost and once when they are accepted again; the library's own logs go nowhere. */
function watchExporter(
  exporter: SpanExporter,
  log: Pick<Log, 'warn' | 'info'>,
): { readonly exporter: SpanExporter; readonly part: HealthPart } {
  let isAway = false
  const watched: SpanExporter = {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const { error } = result
        const failed = result.code !== 0
        if (failed && !isAway) log.warn({ err: error }, `traces: the collector ${AWAY}`)
        if (!failed && isAway) log.info('traces: the collector takes spans again')
        isAway = failed
        done({ code: 0 })
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
  const check = async () => {
    if (isAway) throw new PartAway(AWAY)
  }
  return { exporter: watched, part: { name: 'traces', needed: false, check } }
}

function createSampler({
  OTEL_TRACES_SAMPLER: name,
  OTEL_TRACES_SAMPLER_ARG: share,
}: TraceSettings): Sampler {
  const root = name.endsWith('traceidratio')
    ? new TraceIdRatioBasedSampler(share)
    : name.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new AlwaysOnSampler()
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

/** Version, trace, span and flags in hexadecimal digits. */
const TRACEPARENT_FORM = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/

function readTraceparent(text: string | undefined): SpanContext | null {
  const [, traceId = '', spanId = '', flags = '00'] = TRACEPARENT_FORM.exec(text ?? '') ?? []
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return isSpanContextValid(parent) ? parent : null
}

/**
 * Returns fractional ms since 1970. All spans of a root share it, because the wall clock may be set while they
 * run.
 */
function startClock(): () => number {
  const offset = Date.now() - performance.now()
  return () => offset + performance.now()
}

interface Below {
  readonly tracer: Tracer
  readonly now: () => number
  readonly root: LibrarySpan
}

function toSpan(below: Below, span: LibrarySpan, above: Context): Span {
  const { tracer, now, root } = below
  const here = trace.setSpan(above, span)
  return {
    begin: (name, kind, attributes = {}, msAgo = 0) => {
      const options = { kind: KINDS[kind], attributes, startTime: now() - msAgo }
      return toSpan(below, tracer.startSpan(name, options, here), here)
    },
    setOnRoot: (attributes) => void root.setAttributes({ ...attributes }),
    traceparent: () => {
      const { traceId, spanId } = span.spanContext()
      return `00-${traceId}-${spanId}-01`
    },
    end: ({ failed = false, attributes, name } = {}) => {
      if (name !== undefined) span.updateName(name)
      if (attributes !== undefined) span.setAttributes({ ...attributes })
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(now())
    },
  }
}
