/** Cuts the network of a node silently from another host, and restores it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { primaryRedis } from './harm.ts'
import { cutOff, mend } from './network.ts'
import { ask, repeat, type ClusterExperiment, type Scene } from './scene.ts'

const NODE = 'node1'
/** Longer than the 12 s after which a silent connection is dropped. */
const CUT_MS = 15_000
const BACK_MS = 10_000

const OTHERS = {
  proxy: 'PgBouncer and HAProxy',
  redis: 'the primary Redis',
  s3: 'the S3 server',
  balancer: 'the balancer',
} as const

type Other = keyof typeof OTHERS

function cutOf(other: Other): ClusterExperiment {
  const fault = `a node cut off from ${OTHERS[other]} for ${CUT_MS / 1000} s`
  return {
    name: `cut-${other}`,
    about: fault,
    tries: 1,
    run: async (scene) => {
      const { network } = scene.cluster.site
      if (network.kind === 'loopback') throw new Error('there are no network namespaces here')
      const host = other === 'redis' ? await primaryRedis(scene.cluster.picture()) : other
      let readiness = ''
      const act = async () => cutOff(network, NODE, host)
      const join = async () => {
        await sleep(CUT_MS)
        readiness = await readyzOf(scene)
        mend(network, NODE, host)
        return timeToReady(scene)
      }
      const outcome = await repeat(scene, { fault, mostMs: BACK_MS, act, mend: join })
      const note = `recovery of the node from the mending; meanwhile its /readyz said ${readiness}`
      return [{ ...outcome, note: `${note}; ${outcome.note}` }]
    },
  }
}

const readyzOf = ({ cluster }: Scene) =>
  ask(`${cluster.parts.get(NODE)?.plan.address ?? ''}/readyz`).then(
    (text) => /"(?:degraded|unavailable)":"[^"]*"|"status":"ready"/.exec(text)?.[0] ?? text,
  )

async function timeToReady(scene: Scene): Promise<number> {
  const begun = performance.now()
  while (performance.now() - begun < 60_000) {
    if ((await readyzOf(scene)) === '"status":"ready"') break
    await sleep(50)
  }
  return performance.now() - begun
}

export const cuts: readonly ClusterExperiment[] = (
  ['proxy', 'redis', 's3', 'balancer'] as const
).map(cutOf)
