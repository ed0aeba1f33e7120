/** Redis goes away between two nodes that chat through it: absent at their start, killed, frozen; and comes back. */
import { setTimeout as sleep } from 'node:timers/promises'
import { HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import { startRedis, type RedisProcess } from '#server/testing/redis-process.ts'
import type { Product } from '#server/testing/product.ts'
import {
  createRandom,
  turnsOf,
  type Experiment,
  type ExperimentOptions,
  type Outcome,
  type Random,
} from './experiment.ts'
import { call, register, type Person } from './people.ts'
import { startLonePostgres } from '#server/testing/lone-postgres.ts'
import { cleaningUp, startForFaults } from './product.ts'

/** What is promised: nobody waits for Redis longer, and after its return all is there in so many milliseconds. */
const MOST_WAIT_MS = 1000
const MOST_BACK_MS = 5000
/** Messages a second from one node to the other. */
const PER_SECOND = 5
const CATCH_UP = 200

interface Fault {
  readonly fault: string
  act(redis: RedisProcess): Promise<unknown>
  mend(redis: RedisProcess): Promise<unknown>
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

type Later = (undo: () => Promise<unknown>) => void
type Message = Readonly<{ id: number; text: string }>

/** Reads as the page does: live, and by catch-up after each connect and each `CatchUp`. */
async function openReader(origin: string, reader: Person, writer: Person, later: Later) {
  const live = new Map<number, number>()
  const known = new Set<number>()
  let upTo = 0
  let work: Promise<void> = Promise.resolve()
  const catchUp = async () => {
    for (;;) {
      const query = upTo === 0 ? '' : `?after=${upTo}`
      const path = `/message/all/${writer.username}${query}`
      const page = (await call(origin, reader, 'GET', path)).body as Message[]
      for (const { id } of page) known.add(id)
      upTo = page.at(-1)?.id ?? upTo
      if (page.length < CATCH_UP) return
    }
  }
  const connection = new HubConnectionBuilder()
    .withUrl(`${origin}/chatHub`, { accessTokenFactory: () => reader.accessToken })
    .withAutomaticReconnect([0, 500, 500, 500, 500])
    .configureLogging(LogLevel.None)
    .build()
  const plan = () => {
    work = work.then(catchUp).catch(() => undefined)
  }
  connection.on('ReceiveMessage', (_text: unknown, _image: unknown, { id }: Message) => {
    known.add(id)
    live.set(id, (live.get(id) ?? 0) + 1)
  })
  connection.on('CatchUp', (within: number) => setTimeout(plan, Math.random() * within))
  connection.onreconnected(plan)
  await connection.start()
  later(() => connection.stop())
  return { known, live, catchUp }
}

/** Writes on and on; knows what was acknowledged, and how long it took. */
function openWriter(origin: string, writer: Person, reader: Person) {
  const acknowledged = new Set<number>()
  let slowestMs = 0
  let failed = 0
  let number = 0
  const write = async () => {
    number += 1
    const began = performance.now()
    const json = { text: `number ${number}`, receiverUsername: reader.username }
    const { status, body } = await call(origin, writer, 'POST', '/message/create', { json })
    slowestMs = Math.max(slowestMs, performance.now() - began)
    if (status === 200) acknowledged.add((body as Message).id)
    else failed += 1
  }
  const timer = setInterval(() => {
    write().catch(() => {
      failed += 1
    })
  }, 1000 / PER_SECOND)
  return {
    acknowledged,
    stop: () => clearInterval(timer),
    slowestMs: () => slowestMs,
    failed: () => failed,
  }
}

/** How long a new connection to the hub takes. */
async function timeToConnect(origin: string, person: Person): Promise<number> {
  const began = performance.now()
  const connection = new HubConnectionBuilder()
    .withUrl(`${origin}/chatHub`, { accessTokenFactory: () => person.accessToken })
    .configureLogging(LogLevel.None)
    .build()
  await connection.start()
  // Answered when the connection is ready for calls.
  await connection.invoke('Subscribe', person.username)
  const took = performance.now() - began
  await connection.stop()
  return took
}

async function statusOf({ url }: Product): Promise<string> {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) })
  return `${answer.status} ${await answer.text()}`
}

/** Both faults in turn, to nodes that started without Redis. */
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
      // As behind one balancer; else /readyz says that they differ.
      PUBLIC_URL: 'http://localhost',
    }
    const near = await startForFaults(environment)
    later(() => near.stop())
    const far = await startForFaults(environment)
    later(() => far.stop())
    const random = createRandom(options.seed)
    const absent: Fault = {
      fault: 'Redis absent when two nodes start, then there',
      act: async () => undefined,
      mend: (server) => server.restart(),
    }
    const outcomes: Outcome[] = []
    const of = (fault: Fault, tries: number, until = options.until ?? Number.POSITIVE_INFINITY) =>
      attempt({ ...options, tries, until }, random, { near, far, redis, fault })
    outcomes.push(await of(absent, 1))
    // One of the two faults must not take the other's time.
    const halfway = (performance.now() + (options.until ?? Number.POSITIVE_INFINITY)) / 2
    outcomes.push(await of(KILLED, options.tries, halfway))
    outcomes.push(await of(FROZEN, options.tries))
    return outcomes
  })
}

interface Scene {
  readonly near: Product
  readonly far: Product
  readonly redis: RedisProcess
  readonly fault: Fault
}

async function attempt(
  options: ExperimentOptions,
  random: Random,
  { near, far, redis, fault }: Scene,
): Promise<Outcome> {
  const { tries } = options
  return cleaningUp(async (later) => {
    const [ann, bob, eve] = [
      await register(near.url),
      await register(far.url),
      await register(far.url),
    ]
    const reader = await openReader(far.url, bob, ann, later)
    const writer = openWriter(near.url, ann, bob)
    later(async () => writer.stop())
    const recoveryMs: number[] = []
    const breaches = new Set<string>()
    let slowestConnect = 0
    for (const turn of turnsOf(options)) {
      await sleep(random.between(500, 1500))
      await fault.act(redis)
      await sleep(random.between(500, 3000))
      slowestConnect = Math.max(slowestConnect, await timeToConnect(far.url, eve))
      const status = await statusOf(near)
      if (!/^200 .*"degraded":"redis"/.test(status)) breaches.add(`/readyz said ${status}`)
      await sleep(random.between(500, 3000))
      const due = [...writer.acknowledged]
      await fault.mend(redis)
      const since = performance.now()
      while (due.some((id) => !reader.known.has(id)) && performance.now() - since < 30_000)
        await sleep(20)
      recoveryMs.push(performance.now() - since)
      options.say(`  ${turn} of ${tries}: all there after ${Math.round(recoveryMs.at(-1) ?? 0)} ms`)
    }
    writer.stop()
    // What was written last is delivered 2 seconds later.
    await sleep(4000)
    const missing = [...writer.acknowledged].filter((id) => !reader.known.has(id))
    await reader.catchUp()
    const late = recoveryMs.filter((ms) => ms > MOST_BACK_MS).length
    if (late > 0) breaches.add(`${late} times later than ${MOST_BACK_MS} ms`)
    if (missing.length > 0) breaches.add(`${missing.length} came with a reload only`)
    if (writer.failed() > 0) breaches.add(`${writer.failed()} messages refused`)
    if (Math.max(writer.slowestMs(), slowestConnect) > MOST_WAIT_MS + 1000)
      breaches.add('somebody waited for Redis')
    return {
      fault: fault.fault,
      tries: recoveryMs.length,
      acknowledged: writer.acknowledged.size,
      lost: [...writer.acknowledged].filter((id) => !reader.known.has(id)).length,
      doubled: [...reader.live.values()].filter((count) => count > 1).length,
      died: [near, far].filter((node) => node.hasEnded()).length,
      recoveryMs,
      note: `recovery from its return; slowest create ${Math.round(writer.slowestMs())} ms, slowest connect ${Math.round(slowestConnect)} ms`,
      breaches: [...breaches],
    }
  })
}

export const redis: Experiment = {
  name: 'redis',
  about: 'Redis absent, killed and frozen between two nodes that chat',
  tries: 5,
  seconds: 75,
  run,
}
