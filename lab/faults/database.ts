/** Makes the database fail during writes: one connection, the embedded server, or the server of DATABASE_URL. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Experiment, ExperimentOptions, Outcome, Random } from './experiment.ts'
import { startLonePostgres, type Ending } from '#server/testing/lone-postgres.ts'
import { repeat } from './repeat.ts'
import { backendsOf, postmasterOf } from './postgres.ts'
import { cleaningUp, startNode } from '#lab/product.ts'

/** Limit in ms until writes continue after the fault, or after an external database is back. */
const MOST_EMBEDDED_MS = 5000
const MOST_WHOLE_MS = 3000

const kill = async (pid: number | undefined) => {
  const since = performance.now()
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
  return since
}

type Victim = (random: Random, dataDir: string) => number | undefined

const ofEmbedded =
  (fault: string, victim: Victim) =>
  async (options: ExperimentOptions): Promise<Outcome[]> =>
    cleaningUp(async (later) => {
      const product = await startNode()
      later(() => product.stop())
      const act = async (random: Random) => kill(victim(random, product.dataDir))
      const note = 'recovery from the fault'
      return [await repeat(options, product, { fault, note, most: MOST_EMBEDDED_MS, act })]
    })

const backend: Experiment = {
  name: 'backend',
  about: 'kill -9 of one connection of the embedded database under writes',
  tries: 20,
  seconds: 100,
  run: ofEmbedded('a connection of the embedded database killed (kill -9)', (random, dataDir) => {
    const backends = backendsOf(postmasterOf(dataDir))
    return backends[random.between(0, backends.length - 1)]
  }),
}

const postmaster: Experiment = {
  name: 'postmaster',
  about: 'kill -9 of the embedded database under writes',
  tries: 20,
  seconds: 100,
  run: ofEmbedded('the embedded database killed (kill -9)', (_random, dataDir) =>
    postmasterOf(dataDir),
  ),
}

const WORDS: Readonly<Record<Ending, string>> = {
  smart: 'restarted (smart, after 2 s fast)',
  fast: 'restarted (fast)',
  immediate: 'restarted (immediate)',
  kill: 'killed (kill -9) and started again',
}

const ofLone = (way: Ending): Experiment => ({
  name: `database-${way}`,
  about: `a database of DATABASE_URL ${WORDS[way]} under writes`,
  tries: 20,
  seconds: 90,
  run: async (options) =>
    cleaningUp(async (later) => {
      const database = await startLonePostgres()
      later(() => database.remove())
      const product = await startNode({ DATABASE_URL: database.url })
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

const ways = ['smart', 'fast', 'immediate', 'kill'] as const
export const databaseExperiments: readonly Experiment[] = [backend, postmaster, ...ways.map(ofLone)]
