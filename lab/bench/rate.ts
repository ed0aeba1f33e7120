/**
 * Generates load at a fixed rate in its own process. Requests are sent at even intervals, whether earlier answers
 * have arrived or not. Each is timed from when it was due, so that a late start counts as latency.
 */
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

export interface RateLoad {
  readonly port: number
  readonly seconds: number
  readonly connections: number
  /** Requests per second over all connections. */
  readonly rate: number
  readonly paths: readonly string[]
  readonly headers: Readonly<Record<string, string>>
}

/** In ms, only of correct answers: refusals are fast and would improve the numbers. */
export interface RateResult {
  readonly rate: number
  readonly p50: number
  readonly p97_5: number
  readonly p99: number
  readonly wrong: number
}

/** Time in ms after which a missing answer counts as wrong. */
const LONGEST_MS = 10_000

async function measure(load: RateLoad): Promise<RateResult> {
  const { port, headers, paths, rate } = load
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections })
  const waits: number[] = []
  const ask = (path: string, dueAt: number) =>
    new Promise<boolean>((resolve) => {
      const asked = request({ host: '127.0.0.1', port, path, headers, agent }, (answer) => {
        answer.resume()
        answer.once('error', () => resolve(false))
        answer.once('end', () => {
          const isRight = answer.statusCode === 200
          if (isRight) waits.push(performance.now() - dueAt)
          resolve(isRight)
        })
      })
      asked.setTimeout(LONGEST_MS, () => asked.destroy())
      asked.once('error', () => resolve(false))
      asked.end()
    })
  const begin = performance.now()
  const answers: Promise<boolean>[] = []
  for (let number = 0; number < rate * load.seconds; number += 1) {
    const dueAt = begin + (number * 1000) / rate
    const early = dueAt - performance.now()
    // Timers are accurate to a millisecond.
    if (early >= 1) await sleep(early)
    answers.push(ask(paths[number % paths.length] ?? '/', Math.min(dueAt, performance.now())))
  }
  const right = await Promise.all(answers)
  const seconds = (performance.now() - begin) / 1000
  agent.destroy()
  waits.sort((a, b) => a - b)
  const quantile = (share: number) => Math.max(0, waits[Math.ceil(waits.length * share) - 1] ?? 0)
  return {
    rate: waits.length / seconds,
    p50: quantile(0.5),
    p97_5: quantile(0.975),
    p99: quantile(0.99),
    wrong: right.filter((isRight) => !isRight).length,
  }
}

const job: RateLoad = JSON.parse(await text(process.stdin))
process.stdout.write(JSON.stringify(await measure(job)))
