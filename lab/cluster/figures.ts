/** Measures how much one, two and three nodes serve, each with a small share of a core. */
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuOf } from '#lab/process.ts'
import type { Outcome } from '#lab/faults/experiment.ts'
import { call, publish, register } from '#lab/faults/people.ts'
import type { Part, PartPlan } from './part.ts'
import { databaseAddresses } from './parts/pgbouncer.ts'
import { limitProcessor, type Quota } from './quota.ts'
import { becomeWhole, type ClusterExperiment, type Scene } from './scene.ts'

const WARM_MS = 3000
const MEASURE_MS = 10_000
/** Warm-up measurements that don't count. */
const WARM_TURNS = 3
/**
 * CPU share of each node. It is small enough that three of them, with the database, the load balancer and the
 * clients, leave a part of two cores idle. So the nodes are the limit, as on separate machines.
 */
const SHARE = 0.1
/** Enough clients that each of three nodes always has one waiting. */
const CLIENTS = 48
/** Minimum multiples of what one node serves. */
const LEAST_TIMES = [1, 1.8, 2.6] as const
/** A node that used less of its share was not the limit. */
const LEAST_USED = 0.95

type Ask = () => Promise<boolean>

/** Publishes a lesson, and requests it as its owner. */
async function prepare(url: string): Promise<Ask> {
  const person = await register(url)
  const lesson = await publish(url, person)
  return async () => {
    const { status } = await call(url, person, 'GET', `/lesson/${lesson}`, { timeoutMs: 20_000 })
    return status === 200
  }
}

const nodesOf = ({ cluster }: Scene) =>
  [...cluster.parts.values()].filter(({ plan }) => /^node\d+$/.test(plan.name))

const WHAT = 'an open lesson to its owner (GET /api/lesson/…)'

/** Nodes connect to PostgreSQL directly, because old versions of PgBouncer cost more than everything else. */
export const scaling: ClusterExperiment = {
  name: 'scaling',
  about: `requests a second with nodes of ${SHARE} of a core each`,
  tries: 1,
  run: async (scene) => {
    await becomeWhole(scene)
    const nodes = nodesOf(scene)
    const plans = nodes.map(({ plan }) => plan)
    for (const node of nodes) await restart(node, directly(node.plan, scene))
    const ask = await prepare(scene.cluster.url)
    // Code is compiled and caches are filled before the CPU limit slows that down.
    for (let turn = 0; turn < WARM_TURNS; turn += 1) await measure(nodes, ask)
    const quotas = nodes.map(({ plan: { name }, pid }) => limit(scene, name, pid ?? 0))
    const rates: number[] = []
    const rows: Omit<Outcome, 'fault'>[] = []
    try {
      await measure(nodes, ask)
      for (let count = nodes.length; count > 0; count -= 1) {
        const { requests, cores, breaches } = await measure(nodes, ask)
        const used = cores / count / SHARE
        const perSecond = (requests * 1000) / MEASURE_MS
        rates.unshift(perSecond)
        rows.unshift({
          tries: 1,
          acknowledged: requests,
          lost: 0,
          doubled: 0,
          died: 0,
          recoveryMs: [],
          note: `${perSecond.toFixed(0)} requests/s; the nodes used ${Math.round(used * 100)} % of their shares`,
          breaches: used >= LEAST_USED ? breaches : [...breaches, 'the nodes were not the limit'],
        })
        quotas.pop()?.release()
        await nodes[count - 1]?.stop()
      }
    } finally {
      for (const quota of quotas) quota.release()
    }
    for (const [place, node] of nodes.entries()) await node.start(plans[place])
    await becomeWhole(scene)
    return rows.map((row, place) => ofTimes(row, place, rates))
  },
}

/** Returns a row with its multiple of the first one. */
function ofTimes(row: Omit<Outcome, 'fault'>, place: number, rates: readonly number[]): Outcome {
  const times = (rates[place] ?? 0) / (rates[0] ?? 1)
  const least = LEAST_TIMES[place] ?? 0
  const breaches = row.breaches ?? []
  return {
    ...row,
    fault: `${place + 1} of the nodes, each with ${SHARE} of a core and past PgBouncer, serve ${WHAT}, ${CLIENTS} at once`,
    note: `${times.toFixed(2)} times one node; ${row.note ?? ''}`,
    breaches: times < least ? [...breaches, `${least} times one node was promised`] : breaches,
  }
}

function directly(plan: PartPlan, { cluster }: Scene): PartPlan {
  const { direct } = databaseAddresses(cluster.site)
  const environment = { ...plan.environment, DATABASE_URL: direct, DATABASE_PREPARE: '1' }
  return { ...plan, environment }
}

async function restart(part: Part, plan: PartPlan): Promise<void> {
  await part.stop()
  await part.start(plan)
}

function limit({ cluster }: Scene, name: string, pid: number): Quota {
  return limitProcessor(`${cluster.site.network.mark}-${name}`, pid, SHARE)
}

/** Returns the number of successful requests and the cores that the nodes used. */
async function measure(nodes: readonly Part[], ask: Ask) {
  let isOver = false
  let good = 0
  let bad = 0
  const asking = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) {
      if (await ask().catch(() => false)) good += 1
      else bad += 1
    }
  })
  const cpu = () => nodes.reduce((sum, { pid }) => sum + (pid === null ? 0 : cpuOf(pid)), 0)
  await sleep(WARM_MS)
  const before = { cpu: cpu(), good }
  await sleep(MEASURE_MS)
  const requests = good - before.good
  const cores = (cpu() - before.cpu) / MEASURE_MS
  isOver = true
  await Promise.all(asking)
  return { requests, cores, breaches: bad > 0 ? [`${bad} requests failed`] : [] }
}
