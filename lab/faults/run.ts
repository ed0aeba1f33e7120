/** `npm run test:faults`: does every fault to the real product, on this machine alone, and says what it cost. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readArguments } from '#scripts/arguments.mjs'
import { describeMachine } from '#server/testing/machine.ts'
import { breachesOf, type Experiment, type ExperimentOptions, type Outcome } from './experiment.ts'
import { databaseExperiments } from './database.ts'
import { failoverExperiments } from './failover.ts'
import { kill, restart } from './kill.ts'
import { halfForms, searching } from './load.ts'
import { redis } from './redis.ts'
import { rolling } from './rolling.ts'
import { formatOutcome, formatOutcomes, writeTable } from './table.ts'

/** In the order in which they run; together they must fit into MOST_MS. */
const EXPERIMENTS: readonly Experiment[] = [
  kill,
  restart,
  rolling,
  ...databaseExperiments(),
  ...failoverExperiments(),
  redis,
  searching,
  halfForms,
]

const MOST_MS = 15 * 60_000
/** Of these, for what follows the last tries: reading everything back, ending the processes. */
const SPARE_MS = 90_000
/** For the clean-up of an experiment that was stopped. */
const LAST_MS = 60_000
const SEED = 1
const DOCUMENT = join('docs', 'reliability.md')
const OUT = join('node_modules', '.cache', 'faults')

const BUILD = join(import.meta.dirname, '..', '..', 'scripts', 'build.mjs')

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
  --write       put the table into ${DOCUMENT}; with --only, its rows into the table there

${EXPERIMENTS.map(({ name, tries, about }) => `  ${name.padEnd(12)} ${about} (${tries} tries)`).join('\n')}
`

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** What a run is, and what of it is done so far. */
interface Run {
  readonly machine: ReturnType<typeof describeMachine>
  readonly seed: number
  readonly isWritten: boolean
  readonly where: string
  /** Names of experiments that were asked for; null for all of them. */
  readonly only: readonly string[] | null
  /** Experiments that have not ended, in their order. */
  readonly due: Experiment[]
  readonly outcomes: Outcome[]
}

async function run(): Promise<void> {
  const { values } = readArguments(HELP, {
    options: {
      only: { type: 'string' },
      tries: { type: 'string' },
      seed: { type: 'string', default: `${SEED}` },
      write: { type: 'boolean', default: false },
    },
  })
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
  const due = EXPERIMENTS.filter(({ name }) => names.includes(name))
  const only = values.only === undefined ? null : names
  const whole: Run = { machine, seed, isWritten: values.write, where, only, due, outcomes: [] }
  await buildPages()
  await doAll(whole, tries)
}

/** One after the other, each with its share of the time that is left. Ends with the table, also when the time is over. */
async function doAll(whole: Run, tries: number | null): Promise<void> {
  const { due, outcomes, seed } = whole
  const end = performance.now() + MOST_MS
  let isOver = false
  const breakOff = (why: string, mayWrite: boolean) => {
    if (isOver) return
    isOver = true
    outcomes.push(...due.map(({ name }) => notDone(name, why)))
    conclude(whole, mayWrite)
  }
  // An experiment that hangs must not hold the machine: its processes end with their clean-up at SIGTERM.
  const late = setTimeout(() => {
    breakOff('the time was over', true)
    process.kill(process.pid, 'SIGTERM')
    setTimeout(() => process.exit(1), LAST_MS).unref()
  }, MOST_MS)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => breakOff('it was stopped', false))
  // What goes wrong while its processes are ended is no outcome.
  const tell = (line: string) => {
    if (!isOver) say(line)
  }
  for (let next = due[0]; next !== undefined; next = due[0]) {
    const now = performance.now()
    const all = due.reduce((sum, { seconds }) => sum + seconds, 0)
    const until = now + ((end - SPARE_MS - now) * next.seconds) / all
    const found = await attempt(next, { tries: tries ?? next.tries, seed, say: tell, until })
    // What failed because it was stopped says nothing; the process is about to end.
    if (isOver) return
    due.shift()
    outcomes.push(...found)
    for (const outcome of found) say(`  ${formatOutcome(outcome)}`)
  }
  clearTimeout(late)
  isOver = true
  conclude(whole, true)
}

/** Prints and stores what was found; `mayWrite`: in the document too, if that was asked for. */
function conclude(
  { machine, seed, isWritten, where, only, outcomes }: Run,
  mayWrite: boolean,
): void {
  const table = formatOutcomes(outcomes)
  say(`\n${table}\n`)
  mkdirSync(OUT, { recursive: true })
  const file = join(OUT, `${machine.commit}.json`)
  writeFileSync(file, JSON.stringify({ machine, seed, outcomes }, null, 1))
  say(`Written to ${file}.`)
  if (isWritten && mayWrite) writeTable(DOCUMENT, 'test:faults', { where, only, outcomes })
  if (outcomes.some((outcome) => breachesOf(outcome).length > 0)) process.exitCode = 1
}

/** An experiment that can't be done leaves the others alone, and fails the run. */
async function attempt(experiment: Experiment, options: Required<ExperimentOptions>) {
  const { name } = experiment
  const { tries, until } = options
  const seconds = Math.round((until - performance.now()) / 1000)
  say(`${name}, ${tries} tries, of which none begins after ${seconds} s`)
  try {
    const outcomes = await experiment.run(options)
    if (performance.now() < until) return outcomes
    return outcomes.map((outcome) => ({ ...outcome, note: withTime(outcome.note) }))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [notDone(name, why.replaceAll(/\s+/g, ' ').slice(0, 300))]
  }
}

const withTime = (note: string | undefined) =>
  [...(note === undefined ? [] : [note]), 'its time was over'].join('; ')

function notDone(fault: string, why: string): Outcome {
  const none = { tries: 0, acknowledged: 0, lost: 0, doubled: 0, died: 0, recoveryMs: [] }
  return { fault, ...none, breaches: [`not done: ${why}`] }
}

await run()
