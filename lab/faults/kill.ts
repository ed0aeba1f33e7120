/** Ends the whole product during writes with kill -9 or SIGTERM, and starts it again. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Product, removeDataDir } from '#server/testing/product.ts'
import type { Experiment, ExperimentOptions, Outcome } from './experiment.ts'
import { cleaningUp, startNode } from '#lab/product.ts'
import { repeat } from './repeat.ts'

/** Limit in ms from the signal to the exit. */
const MOST_END_MS = 10_000

interface Ending {
  readonly fault: string
  readonly environment: Readonly<Record<string, string>>
  /** Returns when the process was gone, and what was wrong with its exit. */
  end(product: Product): Promise<{ since: number; wrong: string | null }>
}

const KILLED: Ending = {
  fault: 'node killed (kill -9) with its embedded database, started again',
  environment: {},
  end: async (product) => {
    const since = performance.now()
    product.signal('SIGKILL')
    await product.ended
    return { since, wrong: null }
  },
}

const STOPPED: Ending = {
  fault: 'node stopped (SIGTERM, DRAIN_SECONDS=1) and started again',
  environment: { DRAIN_SECONDS: '1' },
  end: async (product) => {
    const signalledAt = performance.now()
    product.signal('SIGTERM')
    const { code, signal } = await product.ended
    const since = performance.now()
    const took = Math.round(since - signalledAt)
    if (code !== 0) return { since, wrong: `it ended with ${code ?? signal}` }
    return { since, wrong: took > MOST_END_MS ? `it took ${took} ms to end` : null }
  },
}

const under =
  (ending: Ending) =>
  async (options: ExperimentOptions): Promise<Outcome[]> =>
    cleaningUp(async (later) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'kb-faults-'))
      later(() => removeDataDir(dataDir))
      const environment = { ...ending.environment, DATA_DIR: dataDir }
      let product = await startNode(environment)
      later(() => product.stop())
      const { url, port } = product
      const breaches: string[] = []
      const act = async () => {
        const { since, wrong } = await ending.end(product)
        if (wrong !== null) breaches.push(wrong)
        product = await startNode(environment, { port })
        return since
      }
      const { fault } = ending
      const node = { url, hasEnded: () => product.hasEnded() }
      const outcome = await repeat(options, node, {
        fault,
        note: 'recovery with the new start',
        act,
      })
      return [{ ...outcome, breaches: [...breaches, ...(outcome.breaches ?? [])] }]
    })

export const kill: Experiment = {
  name: 'kill',
  about: 'kill -9 of the node under writes, its embedded database with it',
  tries: 10,
  seconds: 90,
  run: under(KILLED),
}

export const restart: Experiment = {
  name: 'restart',
  about: 'SIGTERM and a new start under writes',
  tries: 5,
  seconds: 60,
  run: under(STOPPED),
}
