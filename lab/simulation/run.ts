/** `npm run simulate` lets random histories happen in random orders with random faults, and checks them. */
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { createLog } from '#server/kernel/log.ts'
import { readArguments } from '#scripts/arguments.mjs'
import { BUGS } from './bugs.ts'
import { plant } from './plant.ts'
import type { Plan } from './plans.ts'
import type { Result } from './history.ts'

const HELP = `npm run simulate lets random histories happen in random orders with random faults, against a real PostgreSQL
of its own, and checks what must hold after each one. It ends with 1 and prints the shortest history it found when
something does not hold.

  --seed N        begin with this seed (1)
  --steps N       end after this many steps (40000); a step is a statement, an answer, a message or a beginning
  --for 10m       end when this time has passed, instead of a number: seconds (s) or minutes (m)
  --replay FILE   one history that a failure has written
  --bug PLACE     with one of the planted bugs, by its number in lab/simulation/bugs.ts
`

const TEXT = { type: 'string' } as const
const options = { seed: TEXT, steps: TEXT, for: TEXT, replay: TEXT, bug: TEXT }
const { values: given } = readArguments(HELP, { options })
const bug = given.bug === undefined ? undefined : BUGS[Number(given.bug)]
if (bug !== undefined) plant(bug)
// Only now, so that the product is loaded with the planted bug.
const { openStage } = await import('./history.ts')
const { plans } = await import('./plans.ts')
const { openLocks } = await import('./locks.ts')
const { startEmbedded } = await import('#server/platform/db/embedded/embedded.ts')
const { migrate } = await import('#server/platform/db/migrate.ts')
const { openPool } = await import('#server/platform/db/pool.ts')
const { migrateQueue } = await import('#server/platform/jobs/queue.ts')

const MOST_STEPS = 40_000
/** Histories of one seed. */
const BATCH = 100
/** In ms. */
const SHRINKING_MS = 30_000

const log = createLog('silent')
const dataDir = await mkdtemp(join(tmpdir(), 'kb-simulation-'))
const server = await startEmbedded({ dataDir, fsync: false })
const pool = openPool(server.connection, log, { work: 'migrations', size: 1 })
await migrate(pool)
await migrateQueue(pool, log)
// It would take locks at moments that no seed decides.
await pool.query('alter system set autovacuum = off')
await pool.query('select pg_reload_conf()')
await pool.end()
const locks = await openLocks(server.connection)
const stage = await openStage(server.connection, { locks, dataDir })
try {
  process.exitCode = (await simulate()) ? 0 : 1
} finally {
  await stage.close()
  await locks.close()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
// Work of histories that didn't end may still wait.
process.exit()

async function simulate(): Promise<boolean> {
  if (given.replay !== undefined) {
    const plan = JSON.parse(await readFile(given.replay, 'utf8')) as Plan
    const result = await stage.run(plan)
    console.log(`${result.story.join('\n')}\n\ntrace ${result.hash}`)
    return tellBroken(result)
  }
  const seed = Number(given.seed ?? 1)
  const mostSteps = given.for === undefined ? Number(given.steps ?? MOST_STEPS) : Infinity
  const end = performance.now() + msOf(given.for)
  const traces = createHash('sha256')
  const begin = performance.now()
  let count = 0
  let steps = 0
  const isOver = () => steps >= mostSteps || performance.now() > end
  for (let batch = 0; !isOver(); batch += 1) {
    let foundAt: number | null = null
    const property = fc.asyncProperty(plans, async (plan) => {
      if (foundAt === null ? isOver() : performance.now() > foundAt + SHRINKING_MS) return true
      const result = await stage.run(plan)
      if (foundAt === null) {
        count += 1
        steps += result.steps
        traces.update(result.hash)
      }
      if (result.broken.length > 0) foundAt ??= performance.now()
      return result.broken.length === 0
    })
    const details = await fc.check(property, { seed: seed + batch, numRuns: BATCH })
    if (details.counterexample !== null) {
      const seconds = (((foundAt ?? 0) - begin) / 1000).toFixed(1)
      console.log(`found after ${seconds} s: seed ${seed + batch}, history ${count}`)
      return tellFailure(details.counterexample[0])
    }
  }
  const seconds = (performance.now() - begin) / 1000
  const rate = `${(count / seconds).toFixed(1)} histories and ${Math.round(steps / seconds)} steps a second`
  console.log(`${count} histories hold: ${rate}; traces ${traces.digest('hex').slice(0, 16)}`)
  return true
}

async function tellFailure(plan: Plan): Promise<false> {
  const result = await stage.run(plan)
  const file = join(tmpdir(), `history-${result.hash}.json`)
  await writeFile(file, JSON.stringify(plan))
  console.log(`\n${result.story.join('\n')}\n`)
  tellBroken(result)
  const planted = given.bug === undefined ? '' : ` --bug ${given.bug}`
  console.log(`\nnpm run simulate -- --replay ${file}${planted}`)
  return false
}

function tellBroken({ broken }: Result): boolean {
  for (const rule of broken) console.log(`This does not hold: ${rule}.`)
  return broken.length === 0
}

/** Reads a time such as `90s` or `10m`. Without one, there is no end. */
function msOf(time: string | undefined): number {
  if (time === undefined) return Infinity
  const factor = time.endsWith('m') ? 60_000 : 1000
  return Number.parseFloat(time) * factor
}
