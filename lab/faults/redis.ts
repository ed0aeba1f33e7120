/** Redis is absent, killed and frozen between two nodes that chat through it, and comes back. */
import { setTimeout as sleep } from 'node:timers/promises'
import { HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import { cleaningUp, startNode } from '#lab/product.ts'
import { startLonePostgres } from '#server/testing/lone-postgres.ts'
import type { Product } from '#server/testing/product.ts'
import { startRedis, type RedisProcess } from '#server/testing/redis/process.ts'
import {
  createRandom,
  turnsOf,
  type Experiment,
  type ExperimentOptions,
  type Outcome,
  type Random,
} from './experiment.ts'
import { register, type Person } from './people.ts'
import { openTalkers } from './talkers.ts'

/** Longest wait for Redis within a request, and until all messages have arrived after its return, in ms. */
const MOST_WAIT_MS = 2000
const MOST_BACK_MS = 5000

interface Fault {
  readonly fault: string
  act(redis: RedisProcess): Promise<unknown>
  mend(redis: RedisProcess): Promise<unknown>
}

const ABSENT: Fault = {
  fault: 'Redis absent when two nodes start, then there',
  act: async () => undefined,
  mend: (redis) => redis.restart(),
}
const KILLED: Fault = {
  fault: 'Redis killed (kill -9) between two nodes, and started again',
  act: (redis) => redis.stop(),
  mend: (redis) => redis.restart(),
}
const FROZEN: Fault = {
  fault: 'Redis frozen (SIGSTOP) between two nodes, and awake again',
  act: async (redis) => redis.freeze(),
  mend: async (redis) => redis.thaw(),
}

/** Returns the time in ms until a new hub connection is ready for calls. */
async function timeToConnect(origin: string, person: Person): Promise<number> {
  const began = performance.now()
  const connection = new HubConnectionBuilder()
    .withUrl(`${origin}/chatHub`, { accessTokenFactory: () => person.accessToken })
    .configureLogging(LogLevel.None)
    .build()
  await connection.start()
  await connection.invoke('Subscribe', person.username)
  const took = performance.now() - began
  await connection.stop()
  return took
}

async function statusOf({ url }: Product): Promise<string> {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) })
  return `${answer.status} ${await answer.text()}`
}

/** Runs all faults in turn on nodes that started without Redis. */
async function run(options: ExperimentOptions): Promise<Outcome[]> {
  return cleaningUp(async (later) => {
    const database = await startLonePostgres()
    later(() => database.remove())
    const redis = await startRedis({ absent: true })
    later(redis.close)
    const environment = {
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      JOBS: 'here',
      // The same for both, as behind one load balancer: /readyz reports nodes that differ.
      PUBLIC_URL: 'http://localhost',
    }
    const near = await startNode(environment)
    later(() => near.stop())
    const far = await startNode(environment)
    later(() => far.stop())
    const scene = { near, far, redis, random: createRandom(options.seed) }
    const until = options.until ?? Number.POSITIVE_INFINITY
    return [
      await attempt({ ...options, tries: 1 }, ABSENT, scene),
      // Leaves time for the other fault.
      await attempt({ ...options, until: (performance.now() + until) / 2 }, KILLED, scene),
      await attempt(options, FROZEN, scene),
    ]
  })
}

interface Scene {
  readonly near: Product
  readonly far: Product
  readonly redis: RedisProcess
  readonly random: Random
}

async function attempt(
  options: ExperimentOptions,
  fault: Fault,
  { near, far, redis, random }: Scene,
): Promise<Outcome> {
  const newcomer = await register(far.url)
  const talkers = await openTalkers({ speaker: near.url, listener: far.url }, () => undefined)
  talkers.start()
  const recoveryMs: number[] = []
  const breaches = new Set<string>()
  let slowestConnectMs = 0
  for (const turn of turnsOf(options)) {
    await sleep(random.between(500, 1500))
    await fault.act(redis)
    await sleep(random.between(500, 3000))
    slowestConnectMs = Math.max(slowestConnectMs, await timeToConnect(far.url, newcomer))
    const status = await statusOf(near)
    if (!/^200 .*"degraded":"redis"/.test(status)) breaches.add(`/readyz said ${status}`)
    await sleep(random.between(500, 3000))
    await fault.mend(redis)
    const since = performance.now()
    await talkers.arrived()
    const took = performance.now() - since
    recoveryMs.push(took)
    options.say(`  ${turn} of ${options.tries}: all there after ${Math.round(took)} ms`)
  }
  const talk = await talkers.finish()
  const late = recoveryMs.filter((ms) => ms > MOST_BACK_MS).length
  if (late > 0) breaches.add(`${late} times later than ${MOST_BACK_MS} ms`)
  if (Math.max(talk.slowestCallMs, slowestConnectMs) > MOST_WAIT_MS)
    breaches.add('somebody waited for Redis')
  return {
    fault: fault.fault,
    tries: recoveryMs.length,
    acknowledged: talk.acknowledged,
    lost: talk.lost,
    doubled: talk.doubled,
    died: [near, far].filter((node) => node.hasEnded()).length,
    recoveryMs,
    note: `recovery from its return; slowest create ${Math.round(talk.slowestCallMs)} ms, slowest connect ${Math.round(slowestConnectMs)} ms`,
    breaches: [...breaches, ...talk.failures],
  }
}

export const redis: Experiment = {
  name: 'redis',
  about: 'Redis absent, killed and frozen between two nodes that chat',
  tries: 5,
  seconds: 75,
  run,
}
