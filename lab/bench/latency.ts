/** Latencies, taken at a fixed rate of less than half of what saturates. */
import { join } from 'node:path'
import { runJob } from './process.ts'
import type { Served } from './product.ts'
import type { RateLoad, RateResult } from './rate.ts'
import type { Settings, Side } from './rounds.ts'
import type { Section } from './table.ts'

const SHARE = 0.4
/** Above it the load generator would be late itself. */
const MOST = 3000
/** So many different paths are asked for. */
const PATHS = 1000

export interface Latency extends RateResult {
  readonly what: string
  /** Milliseconds that the event loop of the product was held: 99 of 100 samples were shorter. */
  readonly heldP99: number
}

/**
 * Sends requests at a fixed rate, so that slow answers do not slow the asking down, and gives the quantiles of the
 * answers.
 *
 * @param product started with its probe
 * @param perSecond what it answers at most
 */
export async function measureLatency(
  what: string,
  product: Served,
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
  await product.ask('watchDelay')
  // The answer is what our own rate.ts prints.
  const result = (await runJob(
    join(import.meta.dirname, 'rate.ts'),
    load,
    seconds * 1000 + 30_000,
  )) as RateResult
  return { what, ...result, heldP99: Number(await product.ask('delay')) }
}

/** The latencies as a table; a row with wrong answers says that it is invalid. */
export function latencySection(title: string, found: readonly Latency[]): Section {
  return {
    title,
    columns: ['what', 'requests/s', 'p50', 'p97.5', 'p99', 'event loop held, p99'],
    rows: found.map(({ what, rate, p50, p97_5, p99, wrong, heldP99 }) => [
      wrong === 0 ? what : `${what} (INVALID: ${wrong} wrong answers)`,
      rate.toFixed(0),
      ...[p50, p97_5, p99, heldP99].map((ms) => `${ms.toFixed(1)} ms`),
    ]),
    notes: [],
    raw: found,
  }
}
