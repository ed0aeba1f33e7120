/** What one, two and three nodes serve, and where the processor's time goes. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Outcome } from '#faults/experiment.ts'
import { call, publish, register } from '#faults/people.ts'
import type { Cluster } from '#scripts/cluster/cluster.ts'
import { becomeWhole, type ClusterExperiment, type Scene } from './scene.ts'

const ASKERS = 16
const WARM_MS = 3000
const MEASURE_MS = 10_000
/** Of Linux, in which the times of processes are counted. */
const TICK_MS = 10

export const figures: ClusterExperiment = {
  name: 'figures',
  about: 'requests a second with each number of nodes, and processor time a request',
  tries: 1,
  run: async (scene) => {
    await becomeWhole(scene)
    const { url, parts } = scene.cluster
    const person = await register(url)
    const lesson = await publish(url, person)
    const ask = async () => {
      const { status } = await call(url, person, 'GET', `/lesson/${lesson}`, { timeoutMs: 20_000 })
      return status === 200
    }
    const nodes = [...parts.values()].filter(({ plan }) => /^node\d+$/.test(plan.name))
    const outcomes: Outcome[] = []
    for (let count = nodes.length; count > 0; count -= 1) {
      outcomes.unshift(await measure(scene, count, ask))
      await nodes[count - 1]?.stop()
    }
    for (const node of nodes) await node.start()
    await becomeWhole(scene)
    return outcomes
  },
}

async function measure(scene: Scene, count: number, ask: () => Promise<boolean>): Promise<Outcome> {
  let isOver = false
  let good = 0
  let bad = 0
  const askers = Array.from({ length: ASKERS }, async () => {
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
  await Promise.all(askers)
  const requests = after.good - before.good
  const perSecond = (requests * 1000) / (after.at - before.at)
  const each = (kind: Kind) => ((after[kind] - before[kind]) / requests).toFixed(2)
  return {
    fault: `${count} of the nodes serve an open lesson to its owner (GET /api/lesson/…), ${ASKERS} at once`,
    tries: 1,
    acknowledged: requests,
    lost: 0,
    doubled: 0,
    died: 0,
    recoveryMs: [],
    note: `${perSecond.toFixed(0)} requests/s; processor ms a request: nodes ${each('nodes')}, PostgreSQL ${each('databases')}, PgBouncer and HAProxy ${each('proxies')}, nginx ${each('balancer')}, who asks ${each('ours')}`,
    breaches: bad > 0 ? [`${bad} requests failed`] : [],
  }
}

type Kind = 'nodes' | 'databases' | 'proxies' | 'balancer' | 'ours'

/** Milliseconds of processor time so far, by what the processes are; children of nodes are none of theirs. */
function timesOf({ site, parts }: Cluster): Record<Kind, number> {
  const times = { nodes: 0, databases: 0, proxies: 0, balancer: 0, ours: timeOf('self') }
  const folderKinds: readonly [RegExp, Kind][] = [
    [/^pg\d/, 'databases'],
    [/^(?:haproxy|pgbouncer)/, 'proxies'],
    [/^balancer/, 'balancer'],
  ]
  for (const [name, { pid }] of parts)
    if (/^node\d+$/.test(name) && pid !== null) times.nodes += timeOf(`${pid}`)
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const place = placeOf(pid)
    if (!place.startsWith(`${site.folder}/`)) continue
    const below = place.slice(site.folder.length + 1)
    const kind = folderKinds.find(([pattern]) => pattern.test(below))?.[1]
    if (kind !== undefined) times[kind] += timeOf(pid)
  }
  return times
}

function placeOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

function timeOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return 0
  }
}
