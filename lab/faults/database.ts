/** The database goes away under writes: a connection's process, the whole server, a server of somebody else's. */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createRandom,
  turnsOf,
  type Experiment,
  type ExperimentOptions,
  type Outcome,
  type Random,
} from './experiment.ts'
import { startLonePostgres, type Ending } from '#server/testing/lone-postgres.ts'
import { backendsOf, postmasterOf } from './postgres.ts'
import { cleaningUp, startForFaults } from './product.ts'
import { openWriter } from './writer.ts'

/** What is promised: the embedded database is back by itself, and a node is whole soon after its database is. */
const MOST_EMBEDDED_MS = 5000
const MOST_WHOLE_MS = 3000

/** What the fault is done to: the product as a process, or in this one. */
export interface Subject {
  readonly url: string
  readonly dataDir: string
  hasEnded(): boolean
  stop(): Promise<unknown>
}

/** Starts it, with its embedded database or that of DATABASE_URL. */
type Start = (environment?: Readonly<Record<string, string>>) => Promise<Subject>

interface Fault {
  readonly fault: string
  readonly note: string
  /** Milliseconds until a write is acknowledged again. */
  readonly most: number
  /** Does it; answers the moment from which recovery counts. */
  act(random: Random): Promise<number>
}

/** Does the fault again and again to a product that people write to. */
async function repeat(options: ExperimentOptions, product: Subject, each: Fault): Promise<Outcome> {
  const { seed } = options
  const { fault, note, most } = each
  const random = createRandom(seed)
  const writer = await openWriter({ origin: () => product.url, random })
  writer.start()
  const recoveryMs: number[] = []
  for (const turn of turnsOf(options)) {
    if (product.hasEnded()) break
    await sleep(random.between(300, 1500))
    const took = await writer.recovered(await each.act(random))
    recoveryMs.push(took)
    options.say(`  ${turn} of ${options.tries}: whole again after ${Math.round(took)} ms`)
  }
  await writer.finish()
  const count = await writer.count()
  const late = recoveryMs.filter((ms) => ms > most).length
  const breaches = late > 0 ? [`${late} times it took longer than ${most} ms`] : []
  return {
    ...count,
    fault,
    tries: recoveryMs.length,
    died: product.hasEnded() ? 1 : 0,
    recoveryMs,
    note,
    breaches: [...breaches, ...count.breaches],
  }
}

const kill = async (pid: number | undefined) => {
  const since = performance.now()
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
  return since
}

type Victim = (random: Random, dataDir: string) => number | undefined

const ofEmbedded =
  (start: Start, fault: string, victim: Victim) =>
  async (options: ExperimentOptions): Promise<Outcome[]> =>
    cleaningUp(async (later) => {
      const product = await start()
      later(() => product.stop())
      const act = async (random: Random) => kill(victim(random, product.dataDir))
      const note = 'recovery from the fault'
      return [await repeat(options, product, { fault, note, most: MOST_EMBEDDED_MS, act })]
    })

const backend = (start: Start): Experiment => ({
  name: 'backend',
  about: 'kill -9 of one connection of the embedded database under writes',
  tries: 20,
  seconds: 100,
  run: ofEmbedded(
    start,
    'a connection of the embedded database killed (kill -9)',
    (random, dataDir) => {
      const backends = backendsOf(postmasterOf(dataDir))
      return backends[random.between(0, backends.length - 1)]
    },
  ),
})

const postmaster = (start: Start): Experiment => ({
  name: 'postmaster',
  about: 'kill -9 of the embedded database under writes',
  tries: 20,
  seconds: 100,
  run: ofEmbedded(start, 'the embedded database killed (kill -9)', (_random, dataDir) =>
    postmasterOf(dataDir),
  ),
})

const WORDS: Readonly<Record<Ending, string>> = {
  smart: 'restarted (smart, after 2 s fast)',
  fast: 'restarted (fast)',
  immediate: 'restarted (immediate)',
  kill: 'killed (kill -9) and started again',
}

const ofLone = (start: Start, way: Ending): Experiment => ({
  name: `database-${way}`,
  about: `a database of DATABASE_URL ${WORDS[way]} under writes`,
  tries: 20,
  seconds: 90,
  run: async (options) =>
    cleaningUp(async (later) => {
      const database = await startLonePostgres()
      later(() => database.remove())
      const product = await start({ DATABASE_URL: database.url })
      later(() => product.stop())
      const act = async (random: Random) => {
        await database.end(way)
        await sleep(random.between(0, 700))
        await database.start()
        return performance.now()
      }
      const fault = `the database of DATABASE_URL ${WORDS[way]}`
      const note = 'recovery from when the database is back'
      return [await repeat(options, product, { fault, note, most: MOST_WHOLE_MS, act })]
    }),
})

/** Every way in which the database goes away. */
export function databaseExperiments(start: Start = startForFaults): Experiment[] {
  const ways = ['smart', 'fast', 'immediate', 'kill'] as const
  return [backend(start), postmaster(start), ...ways.map((way) => ofLone(start, way))]
}
