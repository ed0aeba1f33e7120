/** What one, two and three nodes serve, as machines with a small share of a core each. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Outcome } from '#lab/faults/experiment.ts'
import { call, publish, register } from '#lab/faults/people.ts'
import type { Part, PartPlan } from './part.ts'
import { databaseAddresses } from './parts/pgbouncer.ts'
import { limitProcessor, type Quota } from './quota.ts'
import { timesOf, type Kind } from './processor.ts'
import { becomeWhole, type ClusterExperiment, type Scene } from './scene.ts'

const WARM_MS = 3000
const MEASURE_MS = 10_000
/** Of `scaling`: so many measurements before those that count. */
const WARM_TURNS = 3
/**
 * Of a core, for each node of `scaling`: so little that three of them, with the database, the balancer and who asks,
 * leave some of two cores unused. Then the nodes are what limits, as they would be on machines of their own.
 */
const SHARE = 0.1
/** So many at once that each of three nodes always has somebody waiting. */
const MANY_ASKERS = 48
/** The figures: how many times what one node serves. */
const LEAST_TIMES = [1, 1.8, 2.6] as const
/** A node that used less of its share was not what limited. */
const LEAST_USED = 0.95

type Ask = () => Promise<boolean>

/** Somebody publishes a lesson, and asks for it as its owner. */
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

/** Nodes that each have a small share of a core, past PgBouncer, whose old versions cost more than all. */
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
    // Everything is compiled and cached before less of the processor makes that slow.
    for (let turn = 0; turn < WARM_TURNS; turn += 1) await measure(scene, ask, MANY_ASKERS)
    const quotas = nodes.map(({ plan: { name }, pid }) => limit(scene, name, pid ?? 0))
    const rates: number[] = []
    const rows: Omit<Outcome, 'fault'>[] = []
    try {
      await measure(scene, ask, MANY_ASKERS)
      for (let count = nodes.length; count > 0; count -= 1) {
        const { perSecond, requests, note, breaches, nodeCores } = await measure(
          scene,
          ask,
          MANY_ASKERS,
        )
        const used = nodeCores / count / SHARE
        rates.unshift(perSecond)
        const said = `${note}; the nodes used ${Math.round(used * 100)} % of their shares`
        const other = used >= LEAST_USED ? [] : ['the nodes were not what limits']
        rows.unshift(outcomeOf('', requests, said, [...breaches, ...other]))
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

/** A row of `scaling` with what it is of the first one. */
function ofTimes(row: Omit<Outcome, 'fault'>, place: number, rates: readonly number[]): Outcome {
  const times = (rates[place] ?? 0) / (rates[0] ?? 1)
  const least = LEAST_TIMES[place] ?? 0
  const breaches = row.breaches ?? []
  return {
    ...row,
    fault: `${place + 1} of the nodes, each with ${SHARE} of a core and past PgBouncer, serve ${WHAT}, ${MANY_ASKERS} at once`,
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

interface Measured {
  readonly perSecond: number
  /** What all nodes together used of the processor. */
  readonly nodeCores: number
  readonly requests: number
  readonly note: string
  readonly breaches: readonly string[]
}

async function measure(scene: Scene, ask: Ask, askers: number): Promise<Measured> {
  let isOver = false
  let good = 0
  let bad = 0
  const asking = Array.from({ length: askers }, async () => {
    while (!isOver) {
      if (await ask().catch(() => false)) good += 1
      else bad += 1
    }
  })
  await sleep(WARM_MS)
  const before = { ...timesOf(scene.cluster), good, at: performance.now() }
  await sleep(MEASURE_MS)
  const after = { ...timesOf(scene.cluster), good, at: performance.now() }
  isOver = true
  await Promise.all(asking)
  const requests = after.good - before.good
  const perSecond = (requests * 1000) / (after.at - before.at)
  const each = (kind: Kind) => ((after[kind] - before[kind]) / requests).toFixed(2)
  return {
    perSecond,
    nodeCores: (after.nodes - before.nodes) / (after.at - before.at),
    requests,
    note: `${perSecond.toFixed(0)} requests/s; processor ms a request: nodes ${each('nodes')}, PostgreSQL ${each('databases')}, PgBouncer and HAProxy ${each('proxies')}, nginx ${each('balancer')}, who asks ${each('ours')}`,
    breaches: bad > 0 ? [`${bad} requests failed`] : [],
  }
}

function outcomeOf(
  fault: string,
  acknowledged: number,
  note: string,
  breaches: readonly string[],
): Outcome {
  const none = { lost: 0, doubled: 0, died: 0, recoveryMs: [] }
  return { fault, tries: 1, acknowledged, ...none, note, breaches }
}
