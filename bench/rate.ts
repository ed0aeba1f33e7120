/** Load at a fixed rate, in a process of its own: autocannon counts a late start as waiting too. */
import { text } from 'node:stream/consumers'
import autocannon from 'autocannon'

export interface RateLoad {
  readonly port: number
  readonly seconds: number
  readonly connections: number
  /** Requests a second, over all connections. */
  readonly rate: number
  readonly paths: readonly string[]
  readonly headers: Readonly<Record<string, string>>
}

/** Milliseconds. */
export interface RateResult {
  readonly rate: number
  readonly p50: number
  readonly p97_5: number
  readonly p99: number
  readonly wrong: number
}

async function measure(load: RateLoad): Promise<RateResult> {
  const { latency, requests, non2xx, errors, timeouts } = await autocannon({
    url: `http://127.0.0.1:${load.port}`,
    connections: load.connections,
    duration: load.seconds,
    overallRate: load.rate,
    requests: load.paths.map((path) => ({ method: 'GET', path, headers: { ...load.headers } })),
  })
  const { p50, p97_5, p99 } = latency
  return { rate: requests.average, p50, p97_5, p99, wrong: non2xx + errors + timeouts }
}

const job: RateLoad = JSON.parse(await text(process.stdin))
process.stdout.write(JSON.stringify(await measure(job)))
