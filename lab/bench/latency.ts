/**
 * Measures latencies at a fixed rate below half of the maximum, so that slow answers don't slow down the requests.
 */
import { runJob } from '#lab/process.ts'
import type { RateLoad, RateResult } from './rate.ts'
import type { Settings, Side } from './rounds.ts'
import type { Section } from './table.ts'

const SHARE = 0.4
/** At higher rates the load generator itself would be late. */
const MOST = 3000
const PATHS = 1000

export interface Latency extends RateResult {
  readonly what: string
}

/** Measures requests of a load; `perSecond` is the server's maximum. */
export async function measureLatency(
  what: string,
  { port, paths, headers }: Side['load'],
  perSecond: number,
  settings: Settings,
): Promise<Latency> {
  const seconds = settings.quick ? 2 : 5
  const load: RateLoad = {
    port,
    seconds,
    connections: settings.connections,
    rate: Math.min(MOST, Math.round(perSecond * SHARE)),
    paths: paths.slice(-PATHS),
    headers,
  }
  return { what, ...(await runJob<RateResult>('bench/rate.ts', load, seconds * 1000 + 30_000)) }
}

/** Formats the latencies as a table. A row with wrong answers is marked invalid. */
export function latencySection(title: string, found: readonly Latency[]): Section {
  return {
    title,
    columns: ['what', 'requests/s', 'p50', 'p97.5', 'p99'],
    rows: found.map(({ what, rate, p50, p97_5, p99, wrong }) => [
      wrong === 0 ? what : `${what} (INVALID: ${wrong} wrong answers)`,
      rate.toFixed(0),
      ...[p50, p97_5, p99].map((ms) => `${ms.toFixed(1)} ms`),
    ]),
    notes: [],
    raw: found,
  }
}
