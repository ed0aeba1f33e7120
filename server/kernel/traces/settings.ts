/** Settings of traces under the names that OpenTelemetry defines, included in kernel/config.ts. */
import * as z from 'zod'
import { between, line, oneOf, pairs } from '#server/kernel/setting-kinds.ts'

/** Schema, default and meaning of each variable. */
export const traceVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    z.url({ protocol: /^https?$/, error: 'must be an http(s) link' }).optional(),
    'none, nothing is traced',
    'A collector of OpenTelemetry for traces (OTLP over HTTP, at /v1/traces below it)',
  ],
  OTEL_EXPORTER_OTLP_HEADERS: [
    pairs.prefault(''),
    'none',
    'Headers for it as in authorization=Bearer%20…, comma-separated, percent-encoded',
  ],
  OTEL_SERVICE_NAME: [
    line.default('knowledge-bazaar'),
    'knowledge-bazaar',
    'The name of this product in traces',
  ],
  OTEL_TRACES_SAMPLER: [
    oneOf([
      'parentbased_always_on',
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ]).default('parentbased_always_on'),
    'parentbased_always_on',
    'Which requests and jobs are traced',
  ],
  OTEL_TRACES_SAMPLER_ARG: [
    between(0, 1, 'number').default(1),
    '1',
    'With traceidratio: the share of them, 0.1 for every tenth',
  ],
  TRUST_TRACEPARENT: [
    oneOf(['0', '1']).default('0'),
    '0',
    '1: a request belongs to the trace that its traceparent header names; only behind a proxy that sets or removes it',
  ],
} as const
