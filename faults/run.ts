/** `npm run test:faults`: does every fault to the real product, on this machine alone, and says what it cost. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine } from '#server/testing/machine.ts'
import { breachesOf, type Experiment, type Outcome } from './experiment.ts'
import { databaseExperiments } from './database.ts'
import { kill, restart } from './kill.ts'
import { redis } from './redis.ts'
import { rolling } from './rolling.ts'
import { formatOutcomes, replaceTable } from './table.ts'

/** In the order in which they run; together they must fit into MOST_MS. */
const EXPERIMENTS: readonly Experiment[] = [kill, restart, rolling, ...databaseExperiments(), redis]

const MOST_MS = 15 * 60_000
const SEED = 1
const DOCUMENT = join('docs', 'reliability.md')
const OUT = join('node_modules', '.cache', 'faults')

const BUILD = join(import.meta.dirname, '..', 'scripts', 'build.mjs')

/** The pages as they would be started now, not as they were built last. */
async function buildPages(): Promise<void> {
  const build: { ensureBuilt(node: string): Promise<string> } = await import(BUILD)
  await build.ensureBuilt(process.execPath)
}

const HELP = `npm run test:faults kills, stops and starves the real product on this machine (loopback only, its own databases
in temporary folders) while people write, and counts what was lost, doubled, or did not come back. It takes 15 minutes
at most and ends with 1 when a promise was not kept.

  --only a,b    these experiments alone
  --tries N     how often each fault is done
  --seed N      the same moments and choices as in another run with it (${SEED})
  --write       put the table into ${DOCUMENT}

${EXPERIMENTS.map(({ name, tries, about }) => `  ${name.padEnd(12)} ${about} (${tries} tries)`).join('\n')}
`

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      tries: { type: 'string' },
      seed: { type: 'string', default: `${SEED}` },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return say(HELP)
  const names = values.only?.split(',') ?? EXPERIMENTS.map(({ name }) => name)
  const unknown = names.find((name) => !EXPERIMENTS.some((each) => each.name === name))
  const seed = Number(values.seed)
  const tries = values.tries === undefined ? null : Number(values.tries)
  if (unknown !== undefined || !Number.isInteger(seed) || !(tries === null || tries >= 1)) {
    say(HELP)
    process.exitCode = 1
    return
  }
  const machine = describeMachine()
  const where =
    `Commit ${machine.commit}, ${machine.date} UTC, seed ${seed}. ${machine.cpu}, ${machine.cores} cores, ` +
    `${machine.memoryGb} GB, load ${machine.load.toFixed(1)} at the start; Node ${machine.node}.`
  say(`${where}\n`)
  await buildPages()
  // An experiment that hangs must not hold the machine: its processes end with their clean-up at SIGTERM.
  const late = setTimeout(() => {
    say('It took more than 15 minutes: stopped.')
    process.exitCode = 1
    process.kill(process.pid, 'SIGTERM')
    setTimeout(() => process.exit(1), 60_000).unref()
  }, MOST_MS)
  const outcomes: Outcome[] = []
  for (const experiment of EXPERIMENTS.filter(({ name }) => names.includes(name)))
    outcomes.push(...(await attempt(experiment, tries ?? experiment.tries, seed)))
  clearTimeout(late)
  const table = formatOutcomes(outcomes)
  say(`\n${table}\n`)
  mkdirSync(OUT, { recursive: true })
  const file = join(OUT, `${machine.commit}.json`)
  writeFileSync(file, JSON.stringify({ machine, seed, outcomes }, null, 1))
  say(`Written to ${file}.`)
  if (values.write) replaceTable(DOCUMENT, `${where}\n\n${table}`)
  if (outcomes.some((outcome) => breachesOf(outcome).length > 0)) process.exitCode = 1
}

/** An experiment that can't be done leaves the others alone, and fails the run. */
async function attempt(experiment: Experiment, tries: number, seed: number): Promise<Outcome[]> {
  const { name } = experiment
  say(`${name}, ${tries} tries`)
  try {
    return await experiment.run({ tries, seed, say })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const breaches = [`not done: ${why.replaceAll(/\s+/g, ' ').slice(0, 300)}`]
    const none = { acknowledged: 0, lost: 0, doubled: 0, died: 0, recoveryMs: [] }
    return [{ fault: name, tries: 0, ...none, breaches }]
  }
}

await run()
