/** Upgrades with a migration: stops each node and starts it from new sources while people continue. */
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Outcome } from '#lab/faults/experiment.ts'
import { underTraffic } from '#lab/faults/traffic.ts'
import { becomeWhole, type ClusterExperiment, type Scene } from './scene.ts'

/** nginx retries a node that it could not reach after 2 s. */
const SETTLE_MS = 2500
const WRITES_A_SECOND = 4
const MIGRATIONS = join('server', 'platform', 'db', 'migrations')

/** Copies the sources and adds a migration: a table, and a column of a big table. */
async function makeNext(folder: string, turn: number): Promise<string> {
  const next = join(folder, `next${turn}`)
  await mkdir(next)
  // Files that locate others by their own path are copied, because through a link they would find the current
  // sources.
  for (const name of ['server', 'contract', 'packages', 'scripts', 'package.json'])
    await cp(name, join(next, name), { recursive: true })
  for (const name of ['node_modules', 'web'])
    await symlink(join(process.cwd(), name), join(next, name))
  await mkdir(join(next, 'dist'))
  // Omits the server's bundle, which is made of the current sources.
  for (const name of await readdir('dist'))
    if (!name.startsWith('server-') && name !== 'current-server')
      await symlink(join(process.cwd(), 'dist', name), join(next, 'dist', name))
  const last = (await readdir(MIGRATIONS))
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .at(-1)
  const number = Number.parseInt(last ?? '0', 10) + turn
  await writeFile(
    join(next, MIGRATIONS, `${String(number).padStart(4, '0')}_next.sql`),
    `set local lock_timeout = '2s';\ncreate table next_${turn} (id bigint primary key);\nalter table messages add column next_${turn} text;\n`,
  )
  return next
}

export const upgrade: ClusterExperiment = {
  name: 'upgrade',
  about: 'node after node, then the worker, is upgraded to sources with a new migration',
  tries: 1,
  run: async (scene) => [await run(scene)],
}

async function run(scene: Scene): Promise<Outcome> {
  const { cluster, seed, say, tries } = scene
  await becomeWhole(scene)
  const parts = [...cluster.parts.values()].filter(({ plan }) => plan.isAsked === true)
  const work = async () => {
    for (let turn = 1; turn <= tries; turn += 1) {
      const cwd = await makeNext(cluster.site.folder, turn)
      for (const part of parts) {
        await sleep(SETTLE_MS)
        const begun = performance.now()
        await part.stop()
        const ended = Math.round(performance.now() - begun)
        await part.start({ ...part.plan, cwd })
        const took = Math.round(performance.now() - begun)
        say(`  ${part.plan.name} ended in ${ended} ms, and is there again after ${took} ms`)
      }
    }
    await sleep(SETTLE_MS)
  }
  const traffic = { url: cluster.url, seed, writesPerSecond: WRITES_A_SECOND, say }
  const noticed = await underTraffic(traffic, work)
  const fault = upgrade.about
  return { ...noticed, fault, tries: parts.length * tries, died: 0, recoveryMs: [] }
}
