/** Measures start time and memory of the product with its demo content. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryOf } from '#lab/process.ts'
import { startNode } from '#lab/product.ts'
import { removeDataDir, type ProductOptions } from '#server/testing/product.ts'
import { createLoader, spread, type Settings } from './rounds.ts'
import { judged, ranged, type Section } from './table.ts'

const REST_MS = 10_000
const MOST_STARTS = 3

/** Measures first and later starts, and memory when idle and after load. */
export async function benchStart(settings: Settings): Promise<Section[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kb-bench-start-'))
  try {
    const first = await timeStart(dataDir)
    const starts: number[] = []
    for (let round = 0; round < Math.min(settings.rounds, MOST_STARTS); round += 1)
      starts.push(await timeStart(dataDir))
    const built = spread(starts)
    const whole = await timeStart(dataDir, 'scripts/start.mjs')
    const { rest, loaded } = await measureMemory(dataDir, settings)
    const rows = [
      ['first start: database made and filled with demo content', `${first.toFixed(2)} s`, ''],
      ['a built node until it listens', `${ranged(built)} s`, judged('≤ 3 s', built.median <= 3)],
      ['npm start again', `${whole.toFixed(2)} s`, judged('≤ 5 s', whole <= 5)],
      ['node at rest', megabytes(rest.node), judged('≤ 250 MB', rest.node <= 250)],
      ['node after load', megabytes(loaded.node), judged('≤ 350 MB', loaded.node <= 350)],
      ['its database at rest', megabytes(rest.database), ''],
      ['its database after load', megabytes(loaded.database), ''],
    ]
    return [
      {
        title: 'Start and memory, with demo content',
        columns: ['what', 'measured', 'goal'],
        rows,
        notes: ['Memory is PSS of all processes; no collection was forced.'],
        raw: { first, starts, whole, rest, loaded },
      },
    ]
  } finally {
    await removeDataDir(dataDir)
  }
}

/** Returns the seconds until the product reports that it is ready. */
async function timeStart(dataDir: string, file?: ProductOptions['file']): Promise<number> {
  const begin = performance.now()
  const options = file === undefined ? {} : { file }
  const product = await startNode({ DATA_DIR: dataDir, DEMO: '1' }, options)
  const took = (performance.now() - begin) / 1000
  await product.stop()
  return took
}

async function measureMemory(dataDir: string, settings: Settings) {
  const product = await startNode({ DATA_DIR: dataDir, DEMO: '1' })
  const { pid, port } = product
  try {
    await sleep(settings.quick ? REST_MS / 5 : REST_MS)
    const rest = memoryOf(pid)
    const load = createLoader(settings)
    for (const path of ['/lesson/all', '/lesson/details/1', '/api/lesson/browse']) {
      const paths = Array.from({ length: 300 }, (_, place) => `${path}?page=${place + 1}`)
      const expect = { status: 200, bytes: 1, field: '' }
      await load({ pid, load: { port, paths, headers: {}, expect } }, settings.quick ? 1 : 5)
    }
    return { rest, loaded: memoryOf(pid) }
  } finally {
    await product.stop()
  }
}

const megabytes = (size: number) => `${size.toFixed(0)} MB`
