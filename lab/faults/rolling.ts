/** Stops and starts two nodes behind nginx one after the other, as in an upgrade, while people continue. */
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startRedis } from '#server/testing/redis/process.ts'
import type { Product } from '#server/testing/product.ts'
import { turnsOf, type Experiment, type ExperimentOptions, type Outcome } from './experiment.ts'
import { startNginx } from './nginx.ts'
import { startLonePostgres } from '#server/testing/lone-postgres.ts'
import { cleaningUp, startNode } from '#lab/product.ts'
import { underTraffic } from './traffic.ts'

const DRAIN_SECONDS = 2
/** From the signal to the exit. The steps after draining take at most 5 s. */
const MOST_END_MS = (DRAIN_SECONDS + 5) * 1000
/** nginx retries a node that it could not reach after 2 s. */
const SETTLE_MS = 2500
/** Few enough for one node on a busy machine, so that failures come from the restart and not from the load. */
const WRITES_A_SECOND = 8

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
  const wrong: string[] = []
  let restarts = 0
  const work = async () => {
    for (const turn of turnsOf(options)) {
      for (const node of nodes) {
        await sleep(SETTLE_MS)
        const signalledAt = performance.now()
        node.product.signal('SIGTERM')
        const { code, signal } = await node.product.ended
        const took = Math.round(performance.now() - signalledAt)
        if (code !== 0) wrong.push(`a node ended with ${code ?? signal}`)
        if (took > MOST_END_MS) wrong.push(`a node took ${took} ms to end`)
        node.product = await node.start(node.product.port)
        restarts += 1
        say(`  ${turn} of ${tries}: a node ended in ${took} ms and is there again`)
      }
    }
    await sleep(SETTLE_MS)
  }
  const traffic = { url: nginx.url, seed, writesPerSecond: WRITES_A_SECOND, say }
  const noticed = await underTraffic(traffic, work)
  return [
    {
      ...noticed,
      fault: 'rolling restart of two nodes behind nginx',
      tries: restarts,
      died: nodes.filter(({ product }) => product.hasEnded()).length,
      recoveryMs: [],
      note: `${noticed.note}, load ${loadavg()[0]?.toFixed(1)}`,
      breaches: [...wrong, ...(noticed.breaches ?? [])],
    },
  ]
}

interface RollingNode {
  product: Product
  start(port?: number): Promise<Product>
}

/** Starts two nodes with one PostgreSQL, one Redis and a shared folder of files. */
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
    const start = (port?: number) => startNode(environment, port === undefined ? {} : { port })
    const node: RollingNode = { product: await start(), start }
    later(() => node.product.stop())
    nodes.push(node)
  }
  return nodes
}
