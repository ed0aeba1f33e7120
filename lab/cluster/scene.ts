/** Steps shared by all experiments of `npm run test:cluster`. */
import { setTimeout as sleep } from 'node:timers/promises'
import { counted, createRandom, type Outcome } from '#lab/faults/experiment.ts'
import { openTalkers } from '#lab/faults/talkers.ts'
import { openWriter, type Writer } from '#lab/faults/writer.ts'
import type { Cluster } from './cluster.ts'
import { addressOf } from './network.ts'

export interface Scene {
  readonly cluster: Cluster
  readonly seed: number
  readonly tries: number
  readonly say: (line: string) => void
}

export interface ClusterExperiment {
  /** For `--only`. */
  readonly name: string
  /** A line of `--help`. */
  readonly about: string
  /** The default of `--tries`. */
  readonly tries: number
  /** Restores the cluster, or throws. */
  run(scene: Scene): Promise<Outcome[]>
}

const WHOLE_MS = 120_000
const WRITES_A_SECOND = 8
/** Pause between two faults in ms. */
const SETTLE_MS = 2000

/**
 * Resolves when all parts run, every node is ready and PostgreSQL has a synchronous replica.
 * @throws Error if that takes too long
 */
export async function becomeWhole({ cluster }: Scene): Promise<void> {
  let lacks = ''
  for (const end = Date.now() + WHOLE_MS; Date.now() < end; await sleep(200)) {
    lacks = await whatLacks(cluster)
    if (lacks === '') return
  }
  throw new Error(`the cluster is not whole after ${WHOLE_MS / 1000} s: ${lacks}`)
}

async function whatLacks({ parts, site }: Cluster): Promise<string> {
  const missing = [...parts].filter(([, { pid }]) => pid === null).map(([name]) => name)
  if (missing.length > 0) return `${missing.join(', ')} away`
  for (const [name, { plan }] of parts) {
    if (!/^node\d+$/.test(name)) continue
    const status = await ask(`${plan.address}/readyz`)
    if (status !== '{"status":"ready"}') return `${name} says ${status}`
  }
  const members = JSON.parse(
    await ask(`http://${addressOf(site.network, 'pg1')}:8008/cluster`),
  ) as {
    members?: { role: string; state: string; lag?: number | string }[]
  }
  const all = members.members ?? []
  const isFollowed =
    all.some(({ role }) => role === 'leader') &&
    all.some(({ role }) => role === 'sync_standby') &&
    all.every(({ state, lag = 0 }) => /running|streaming/.test(state) && lag === 0)
  return isFollowed ? '' : `PostgreSQL says ${JSON.stringify(all)}`
}

/** Returns the body of an answer, or the error as JSON. */
export async function ask(url: string): Promise<string> {
  try {
    return await (await fetch(url, { signal: AbortSignal.timeout(2000) })).text()
  } catch (error) {
    return JSON.stringify({ failed: String(error) })
  }
}

export interface Fault {
  readonly fault: string
  readonly note?: string
  /** Limit in ms until a write is acknowledged again. */
  readonly mostMs: number
  /** Processes of the product that each try kills. */
  readonly ended?: number
  act(turn: number): Promise<void>
  /**
   * Undoes the fault after writes have recovered. Returns the recovery time in ms, or null to use that of the
   * writes.
   */
  mend?(): Promise<number | null>
  /** Returns further breaches at the end. */
  check?(): Promise<string[]>
}

/** Repeats a fault while people write and chat through the load balancer, and reads everything back. */
export async function repeat(scene: Scene, each: Fault): Promise<Outcome> {
  const { cluster, tries, seed, say } = scene
  await becomeWhole(scene)
  const random = createRandom(seed)
  const origin = () => cluster.url
  const writer = await openWriter({ origin, random, perSecond: WRITES_A_SECOND })
  // There are many failed calls, and they are repeated.
  const log = (line: string) => {
    if (!line.includes('message call')) say(`  ${line}`)
  }
  const talkers = await openTalkers({ speaker: cluster.url, listener: cluster.url }, log)
  const endsBefore = endsOf(cluster)
  writer.start()
  talkers.start()
  const recoveryMs: number[] = []
  for (let turn = 1; turn <= tries; turn += 1) {
    await sleep(SETTLE_MS + random.between(0, 1000))
    const since = performance.now()
    await each.act(turn)
    const written = await writer.recovered(since)
    const took = (await each.mend?.()) ?? written
    recoveryMs.push(took)
    say(`  ${turn} of ${tries}: whole again after ${Math.round(took)} ms`)
    await becomeWhole(scene)
  }
  return conclude(scene, { each, writer, talkers, recoveryMs, endsBefore })
}

interface Done {
  readonly each: Fault
  readonly writer: Writer
  readonly talkers: Awaited<ReturnType<typeof openTalkers>>
  readonly recoveryMs: readonly number[]
  readonly endsBefore: number
}

async function conclude(scene: Scene, done: Done): Promise<Outcome> {
  const { each, writer, talkers, recoveryMs, endsBefore } = done
  await writer.finish()
  const talk = await talkers.finish()
  const count = await writer.count()
  const late = recoveryMs.filter((ms) => ms > each.mostMs).length
  const live = talk.failures.filter((words) => !words.startsWith('message call'))
  const slowest = [
    `slowest write ${(writer.slowestMs() / 1000).toFixed(1)} s`,
    `slowest message shown after ${(talk.slowestMs / 1000).toFixed(1)} s`,
    ...counted(live),
  ].join('; ')
  return {
    fault: each.fault,
    tries: recoveryMs.length,
    acknowledged: count.acknowledged + talk.acknowledged,
    lost: count.lost + talk.lost,
    doubled: count.doubled + talk.doubled,
    died: endsOf(scene.cluster) - endsBefore - (each.ended ?? 0) * recoveryMs.length,
    recoveryMs,
    note: each.note === undefined ? slowest : `${each.note}; ${slowest}`,
    breaches: [
      ...(late > 0 ? [`${late} times it took longer than ${each.mostMs / 1000} s`] : []),
      ...(count.lost > 0 ? [`of the lost ones ${count.lost} were written by calls`] : []),
      ...(talk.lost > 0 ? [`of the lost ones ${talk.lost} were said over the hub`] : []),
      ...live.filter((words) => /reload only|gave up/.test(words)),
      ...count.breaches,
      ...((await each.check?.()) ?? []),
    ],
  }
}

function endsOf({ parts }: Cluster): number {
  return [...parts.values()].reduce(
    (sum, { plan, ends }) => sum + (plan.isAsked === true ? ends : 0),
    0,
  )
}
