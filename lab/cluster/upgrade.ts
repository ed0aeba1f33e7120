/** An upgrade with a migration: node after node is stopped and started from new sources, while all go on. */
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom, type Outcome } from '#lab/faults/experiment.ts'
import { startReaders } from '#lab/faults/readers.ts'
import { openTalkers } from '#lab/faults/talkers.ts'
import { openWriter } from '#lab/faults/writer.ts'
import type { PartPlan } from './part.ts'
import { becomeWhole, type ClusterExperiment, type Scene } from './scene.ts'

/** nginx gives a node that it could not reach another chance after 2 s. */
const SETTLE_MS = 2500
const WRITES_A_SECOND = 4
const MIGRATIONS = join('server', 'db', 'migrations')

/** The sources as they are, with one migration more: a table, and a column of a big one. */
async function makeNext(folder: string, turn: number): Promise<string> {
  const next = join(folder, `next${turn}`)
  await mkdir(next)
  // What finds its own place by where it lies is copied: behind a link it would find the sources as they are.
  for (const name of ['server', 'contract', 'packages', 'scripts', 'package.json'])
    await cp(name, join(next, name), { recursive: true })
  for (const name of ['node_modules', 'web'])
    await symlink(join(process.cwd(), name), join(next, name))
  await mkdir(join(next, 'dist'))
  // The pages alone: the bundle of the server is one of the sources as they are.
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
  const origin = () => cluster.url
  const random = createRandom(seed)
  const writer = await openWriter({ origin, random, perSecond: WRITES_A_SECOND })
  const talkers = await openTalkers(cluster.url, say)
  const paths = ['/', '/lesson/all', `/lesson/details/${writer.lesson}`]
  const readers = startReaders(cluster.url, paths, say)
  writer.start()
  talkers.start()
  const parts = [...cluster.parts.values()].filter(({ plan }) => plan.isAsked === true)
  const breaches: string[] = []
  let restarts = 0
  for (let turn = 1; turn <= tries; turn += 1) {
    const cwd = await makeNext(cluster.site.folder, turn)
    for (const part of parts) {
      await sleep(SETTLE_MS)
      const begun = performance.now()
      await part.stop()
      const ended = performance.now() - begun
      const next: PartPlan = { ...part.plan, cwd }
      await part.start(next)
      restarts += 1
      say(
        `  ${part.plan.name} ended in ${Math.round(ended)} ms, and is there again after ${Math.round(performance.now() - begun)} ms`,
      )
    }
  }
  await sleep(SETTLE_MS)
  const reads = await readers.finish()
  await writer.finish()
  const talk = await talkers.finish()
  const count = await writer.count()
  return {
    fault: upgrade.about,
    tries: restarts,
    acknowledged: count.acknowledged + talk.acknowledged,
    lost: count.lost + talk.lost,
    doubled: count.doubled + talk.doubled,
    died: 0,
    recoveryMs: [],
    note: `${reads.count} pages read, ${talk.reconnects} hub connections led elsewhere`,
    breaches: [
      ...breaches,
      ...reads.failures,
      ...writer.failures(),
      ...talk.failures,
      ...count.breaches,
    ],
  }
}
