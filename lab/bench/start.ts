/** Start and memory of the product with its demo content. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findTestPort } from '#server/testing/port.ts'
import { removeDataDir } from '#server/testing/product.ts'
import { memoryOf, idle, startChild } from './process.ts'
import { productEnvironment, startProduct } from './product.ts'
import { createLoader, spread, type Settings } from './rounds.ts'
import { judged, ranged, type Section } from './table.ts'

const IDLE_MS = 10_000

/** Measures the first and later starts of the product, and its memory when it is idle and after load. */
export async function benchStart(settings: Settings): Promise<Section[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kb-bench-start-'))
  try {
    const rows: string[][] = []
    const first = await startProduct(dataDir, { DEMO: '1' })
    rows.push([
      'first start: database made and filled with demo content',
      seconds(first.startedIn),
      '',
    ])
    await first.stop()

    const starts: number[] = []
    for (let round = 0; round < Math.min(settings.rounds, 3); round += 1) {
      const again = await startProduct(dataDir, { DEMO: '1' })
      starts.push(again.startedIn)
      await again.stop()
    }
    const built = spread(starts.map((ms) => ms / 1000))
    rows.push([
      'a built node until it listens',
      `${ranged(built)} s`,
      judged('≤ 3 s', built.median <= 2),
    ])

    const whole = await timeNpmStart(dataDir)
    rows.push(['npm start again', seconds(whole), judged('≤ 5 s', whole <= 5000)])

    const memory = await measureMemory(dataDir, settings)
    rows.push(
      [
        'node after 10 s of rest',
        megabytes(memory.idle.node),
        judged('≤ 250 MB', memory.idle.node <= 250),
      ],
      [
        'node after load',
        megabytes(memory.loaded.node),
        judged('≤ 350 MB', memory.loaded.node <= 350),
      ],
      ['its database after 10 s of rest', megabytes(memory.idle.database), ''],
      ['its database after load', megabytes(memory.loaded.database), ''],
    )
    return [
      {
        title: 'Start and memory, with demo content',
        columns: ['what', 'measured', 'goal'],
        rows,
        notes: ['Memory is PSS of all processes; no collection was forced.'],
        raw: { first: first.startedIn, starts, whole, memory },
      },
    ]
  } finally {
    await removeDataDir(dataDir)
  }
}

/** The whole command, with its look at lockfile and sources; a first one builds what is out of date. */
async function timeNpmStart(dataDir: string): Promise<number> {
  const port = await findTestPort()
  const start = () =>
    startChild('npm', ['start'], {
      until: /^Ctrl-C/,
      environment: productEnvironment(dataDir, port, { DEMO: '1' }),
      timeoutMs: 120_000,
    })
  const first = await start()
  await first.stop()
  await idle(500)
  const second = await start()
  await second.stop()
  return second.startedIn
}

async function measureMemory(dataDir: string, settings: Settings) {
  const product = await startProduct(dataDir, { DEMO: '1' })
  try {
    await idle(settings.quick ? IDLE_MS / 5 : IDLE_MS)
    const idleMemory = memoryOf(product.pid)
    const load = createLoader(settings)
    for (const path of ['/lesson/all', '/lesson/details/1', '/api/lesson/browse']) {
      await load(
        {
          pid: product.pid,
          load: {
            port: product.port,
            method: 'GET',
            paths: Array.from({ length: 300 }, (_, place) => `${path}?page=${place + 1}`),
            authorizations: [],
            headers: {},
            expect: { status: 200, bytes: 1, exact: false, field: '' },
          },
        },
        settings.quick ? 1 : 5,
      )
    }
    return { idle: idleMemory, loaded: memoryOf(product.pid) }
  } finally {
    await product.stop()
  }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
const megabytes = (size: number) => `${size.toFixed(0)} MB`
