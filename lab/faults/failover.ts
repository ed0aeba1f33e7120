/** The primary of two servers goes under writes, and the other one takes its place, as Patroni and HAProxy would do it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { startTcpProxy } from '#signalr/testing/tcp-proxy.ts'
import { REPLICATED, startLonePostgres, startStandby } from '#server/testing/lone-postgres.ts'
import type { Subject } from './database.ts'
import {
  createRandom,
  turnsOf,
  type Experiment,
  type ExperimentOptions,
  type Outcome,
} from './experiment.ts'
import { cleaningUp, startForFaults } from './product.ts'
import { openWriter } from './writer.ts'

/** How the primary goes, and what is promised from that moment on. */
interface Fall {
  readonly name: string
  readonly fault: string
  /** After so long the other server is made primary: at once, or when Patroni's `ttl` is over. */
  readonly noticedMs: number
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

type Start = (environment: Readonly<Record<string, string>>) => Promise<Subject>

async function once(
  fall: Fall,
  start: Start,
  seed: number,
): Promise<Omit<Outcome, 'fault' | 'tries'>> {
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
    const product = await start({ DATABASE_URL: first.url.replace(/:\d+\//, `:${port}/`) })
    later(() => product.stop())
    const random = createRandom(seed)
    const writer = await openWriter({ origin: () => product.url, random })
    writer.start()
    await sleep(random.between(1000, 2000))
    const since = performance.now()
    if (fall.isSilent) {
      first.signal('SIGSTOP')
      proxy.freeze()
    } else await first.end('kill')
    await sleep(fall.noticedMs)
    await second.ask('select pg_promote()')
    primary = second
    const took = await writer.recovered(since)
    await sleep(1000)
    await writer.finish()
    const count = await writer.count()
    const late = took > fall.most ? [`it took longer than ${fall.most} ms`] : []
    return {
      ...count,
      died: product.hasEnded() ? 1 : 0,
      recoveryMs: [took],
      breaches: [...late, ...count.breaches],
    }
  })
}

async function run(fall: Fall, start: Start, options: ExperimentOptions): Promise<Outcome[]> {
  const all: Omit<Outcome, 'fault' | 'tries'>[] = []
  for (const turn of turnsOf(options)) {
    const one = await once(fall, start, options.seed + turn)
    all.push(one)
    options.say(
      `  ${turn} of ${options.tries}: writes go on after ${Math.round(one.recoveryMs[0] ?? 0)} ms`,
    )
  }
  const sum = (of: 'acknowledged' | 'lost' | 'doubled' | 'died') =>
    all.reduce((total, each) => total + each[of], 0)
  return [
    {
      fault: fall.fault,
      tries: all.length,
      acknowledged: sum('acknowledged'),
      lost: sum('lost'),
      doubled: sum('doubled'),
      died: sum('died'),
      recoveryMs: all.flatMap(({ recoveryMs }) => recoveryMs),
      note: 'recovery from the fault; the standby is synchronous',
      breaches: all.flatMap(({ breaches = [] }) => breaches),
    },
  ]
}

/** Both ways in which a primary goes. */
export function failoverExperiments(start: Start = startForFaults): Experiment[] {
  return [KILLED, SILENT].map((fall) => ({
    name: fall.name,
    about: `${fall.fault}, under writes`,
    tries: 1,
    seconds: 20 + (fall.noticedMs + fall.most) / 2000,
    run: (options) => run(fall, start, options),
  }))
}
