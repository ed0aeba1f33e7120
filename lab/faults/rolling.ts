/** An upgrade as people do it: two nodes behind nginx are stopped and started one after the other, while all go on. */
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startRedis } from '#server/testing/redis-process.ts'
import type { Product } from '#server/testing/product.ts'
import {
  createRandom,
  turnsOf,
  type Experiment,
  type ExperimentOptions,
  type Outcome,
} from './experiment.ts'
import { startNginx } from './nginx.ts'
import { READ_MOST_MS, startReaders } from './readers.ts'
import { startLonePostgres } from '#server/testing/lone-postgres.ts'
import { cleaningUp, startForFaults } from './product.ts'
import { openTalkers } from './talkers.ts'
import { openWriter } from './writer.ts'

const DRAIN_SECONDS = 2
/** From the signal to the exit: what follows the draining takes 5 s at most. */
const MOST_END_MS = (DRAIN_SECONDS + 5) * 1000
/** nginx gives a node that it could not reach another chance after 2 s. */
const SETTLE_MS = 2500
/** So little that a busy machine manages it with one node: what fails is the restart's doing, not the load's. */
const WRITES_A_SECOND = 8
const PULSE_MS = 300

export const rolling: Experiment = {
  name: 'rolling',
  about:
    'two nodes behind nginx are restarted one after the other, under page reads, writes and chat',
  tries: 3,
  seconds: 80,
  run: (options) => cleaningUp((later) => restartInTurn(options, later)),
}

async function restartInTurn(
  options: ExperimentOptions,
  later: (undo: () => Promise<unknown>) => void,
): Promise<Outcome[]> {
  const { tries, seed, say } = options
  const nodes = await startNodes(later)
  const nginx = await startNginx(nodes.map(({ product }) => product.port))
  later(() => nginx.stop())
  const writer = await openWriter({
    origin: () => nginx.url,
    random: createRandom(seed),
    perSecond: WRITES_A_SECOND,
  })
  const begun = performance.now()
  const tell = (what: string) =>
    say(`  after ${((performance.now() - begun) / 1000).toFixed(1)} s: ${what}`)
  const talkers = await openTalkers(nginx.url, tell)
  const paths = ['/', '/lesson/all', `/lesson/details/${writer.lesson}`]
  const readers = startReaders(nginx.url, paths, tell)
  const pulse = startPulse(nodes)
  writer.start()
  talkers.start()
  const breaches: string[] = []
  let restarts = 0
  for (const turn of turnsOf(options)) {
    for (const node of nodes) {
      await sleep(SETTLE_MS)
      const signalledAt = performance.now()
      node.product.signal('SIGTERM')
      const { code, signal } = await node.product.ended
      const took = Math.round(performance.now() - signalledAt)
      if (code !== 0) breaches.push(`a node ended with ${code ?? signal}`)
      if (took > MOST_END_MS) breaches.push(`a node took ${took} ms to end`)
      node.product = await node.start(node.product.port)
      restarts += 1
      tell(`${turn} of ${tries}: a node ended in ${took} ms, and is there again`)
    }
  }
  await sleep(SETTLE_MS)
  const reads = await readers.finish()
  const slowest = Math.round(await pulse.finish())
  await writer.finish()
  const talk = await talkers.finish()
  const count = await writer.count()
  return [
    {
      fault: 'rolling restart of two nodes behind nginx',
      tries: restarts,
      acknowledged: count.acknowledged + talk.acknowledged,
      lost: count.lost + talk.lost,
      doubled: count.doubled + talk.doubled,
      died: nodes.filter(({ product }) => product.hasEnded()).length,
      recoveryMs: [],
      note: `${reads.count} pages read, ${talk.reconnects} hub connections led elsewhere, slowest /healthz ${slowest} ms, load ${loadavg()[0]?.toFixed(1)}`,
      breaches: [
        ...breaches,
        ...reads.failures,
        ...writer.failures(),
        ...talk.failures,
        ...count.breaches,
      ],
    },
  ]
}

interface RollingNode {
  product: Product
  start(port?: number): Promise<Product>
}

/** Two nodes at one PostgreSQL and one Redis, which share a folder of files. */
async function startNodes(
  later: (undo: () => Promise<unknown>) => void,
): Promise<readonly RollingNode[]> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-rolling-'))
  later(() => rm(folder, { recursive: true, force: true }))
  const postgres = await startLonePostgres()
  later(() => postgres.remove())
  const redis = await startRedis()
  later(() => redis.close())
  const files = join(folder, 'files')
  await mkdir(files)
  const nodes: RollingNode[] = []
  for (const name of ['one', 'two']) {
    const dataDir = join(folder, name)
    await mkdir(dataDir)
    await symlink(files, join(dataDir, 'files'))
    const environment = {
      DATA_DIR: dataDir,
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      DRAIN_SECONDS: `${DRAIN_SECONDS}`,
      TRUST_PROXY: '1',
    }
    const start = (port?: number) => startForFaults(environment, port === undefined ? {} : { port })
    const node: RollingNode = { product: await start(), start }
    later(() => node.product.stop())
    nodes.push(node)
  }
  return nodes
}

/**
 * How slowly the nodes say that they live, asked past nginx: needs neither database nor Redis, so what makes it take
 * seconds is a machine without time for them, and requests that came late beside it say nothing of the restart.
 */
function startPulse(nodes: readonly RollingNode[]) {
  let slowestMs = 0
  let isOver = false
  const feel = async (node: RollingNode) => {
    while (!isOver) {
      const begun = performance.now()
      const signal = AbortSignal.timeout(READ_MOST_MS)
      const wasThere = await fetch(`${node.product.url}/healthz`, { signal }).then(
        (answer) => answer.ok,
        () => signal.aborted,
      )
      if (wasThere) slowestMs = Math.max(slowestMs, performance.now() - begun)
      await sleep(PULSE_MS)
    }
  }
  const beats = nodes.map(feel)
  return {
    finish: async () => {
      isOver = true
      await Promise.all(beats)
      return slowestMs
    },
  }
}
