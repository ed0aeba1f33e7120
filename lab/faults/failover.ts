/** The primary of two servers fails during writes and the other one takes over, as with Patroni and HAProxy. */
import { setTimeout as sleep } from 'node:timers/promises'
import { startTcpProxy } from '#signalr/testing/tcp-proxy.ts'
import { REPLICATED, startLonePostgres, startStandby } from '#server/testing/lone-postgres.ts'
import { turnsOf, type Experiment, type ExperimentOptions, type Outcome } from './experiment.ts'
import { cleaningUp, startNode } from '#lab/product.ts'
import { repeat } from './repeat.ts'

interface Fall {
  readonly name: string
  readonly fault: string
  /** Delay in ms until the other server is promoted. Patroni's `ttl` is 20 s. */
  readonly noticedMs: number
  /** Limit in ms until writes continue. */
  readonly most: number
  readonly isSilent: boolean
}

const KILLED: Fall = {
  name: 'failover-kill',
  fault: 'the primary killed (kill -9), its standby promoted 1 s later',
  noticedMs: 1000,
  most: 10_000,
  isSilent: false,
}
const SILENT: Fall = {
  name: 'failover-host',
  fault: "the primary's host silent, its standby promoted 20 s later",
  noticedMs: 20_000,
  most: 35_000,
  isSilent: true,
}

async function failOver(fall: Fall, options: ExperimentOptions): Promise<Outcome> {
  return cleaningUp(async (later) => {
    const first = await startLonePostgres(REPLICATED)
    later(() => first.remove())
    const second = await startStandby(first)
    later(() => second.remove())
    await first.ask("alter system set synchronous_standby_names = 'standby'")
    await first.ask('select pg_reload_conf()')
    let primary = first
    const proxy = await startTcpProxy(() => primary.port)
    later(() => proxy.close())
    const { port } = new URL(proxy.url)
    const product = await startNode({ DATABASE_URL: first.url.replace(/:\d+\//, `:${port}/`) })
    later(() => product.stop())
    const act = async () => {
      const since = performance.now()
      if (fall.isSilent) {
        first.signal('SIGSTOP')
        proxy.freeze()
      } else await first.end('kill')
      await sleep(fall.noticedMs)
      await second.ask('select pg_promote()')
      primary = second
      return since
    }
    const note = 'recovery from the fault; the standby is synchronous'
    const { fault, most } = fall
    return repeat({ ...options, tries: 1 }, product, { fault, note, most, act })
  })
}

/** Returns a row for each try, which has its own servers. */
async function run(fall: Fall, options: ExperimentOptions): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const turn of turnsOf(options))
    outcomes.push(await failOver(fall, { ...options, seed: options.seed + turn }))
  return outcomes
}

export const failoverExperiments: readonly Experiment[] = [KILLED, SILENT].map((fall) => ({
  name: fall.name,
  about: `${fall.fault}, under writes`,
  tries: 1,
  seconds: 20 + (fall.noticedMs + fall.most) / 2000,
  run: (options) => run(fall, options),
}))
