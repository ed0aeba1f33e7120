/** Loads the product and the reference alternately. The first round of each doesn't count. */
import { cpuOf, runJob } from '#lab/process.ts'
import type { Load, LoadResult } from './load.ts'

export interface Settings {
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  readonly quick: boolean
}

export interface Served {
  readonly pid: number
  readonly port: number
}

export interface Side {
  readonly pid: number
  readonly load: Omit<Load, 'seconds' | 'connections' | 'from'>
}

export interface Turn {
  readonly perSecond: number
  /** CPU time of the server process per request, in ms. */
  readonly cpu: number
  readonly wrong: number
  readonly firstWrong: string
}

export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

export interface Comparison {
  readonly ours: readonly Turn[]
  readonly reference: readonly Turn[]
  /** Requests per second, ours ÷ reference, for each pair of rounds. */
  readonly speed: Spread
  /** CPU time per request, reference ÷ ours. It varies less than the speed. */
  readonly cpuRatio: Spread
}

/** Each round continues after the last request, because some requests may be sent only once. */
export function createLoader(settings: Settings) {
  const sent = new Map<Side, number>()
  return async (side: Side, seconds = settings.seconds): Promise<Turn> => {
    const from = sent.get(side) ?? 0
    const before = cpuOf(side.pid)
    const load: Load = { ...side.load, seconds, connections: settings.connections, from }
    const result = await runJob<LoadResult>('bench/load.ts', load, seconds * 1000 + 30_000)
    const cpu = cpuOf(side.pid) - before
    sent.set(side, from + result.answers)
    return {
      perSecond: result.answers / result.seconds,
      cpu: cpu / result.answers,
      wrong: result.wrong,
      firstWrong: result.firstWrong,
    }
  }
}

export async function compare(
  settings: Settings,
  ours: Side,
  reference: Side,
): Promise<Comparison> {
  const load = createLoader(settings)
  await load(ours, settings.quick ? 0.5 : 1.5)
  await load(reference, settings.quick ? 0.5 : 1.5)
  const pairs: { a: Turn; b: Turn }[] = []
  for (let round = 0; round < settings.rounds; round += 1) {
    pairs.push({ a: await load(ours), b: await load(reference) })
  }
  return {
    ours: pairs.map(({ a }) => a),
    reference: pairs.map(({ b }) => b),
    speed: spread(pairs.map(({ a, b }) => a.perSecond / b.perSecond)),
    cpuRatio: spread(pairs.map(({ a, b }) => b.cpu / a.cpu)),
  }
}

/** Returns median, minimum and maximum; zeros without values. */
export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  return { median: quantile(sorted, 0.5), min: sorted[0] ?? 0, max: sorted.at(-1) ?? 0 }
}

/** Returns a quantile of a sorted list, rounded up to a value. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0
}

export function medianOf(turns: readonly Turn[], field: 'perSecond' | 'cpu'): number {
  return spread(turns.map((turn) => turn[field])).median
}
