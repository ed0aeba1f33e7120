/** `npm run test:faults` applies every fault to the real product on this machine and reports its effects. */
import { buildProduct } from '#lab/product.ts'
import { readArguments } from '#scripts/arguments.mjs'
import { databaseExperiments } from './database.ts'
import type { Experiment, ExperimentOptions, Outcome } from './experiment.ts'
import { failoverExperiments } from './failover.ts'
import { kill, restart } from './kill.ts'
import { halfForms, searching } from './load.ts'
import { redis } from './redis.ts'
import { beginReport, endReport, notDone, say, sayOutcome } from './report.ts'
import { rolling } from './rolling.ts'

/** In the order in which they run. Together they must fit into MOST_MS. */
const EXPERIMENTS: readonly Experiment[] = [
  kill,
  restart,
  rolling,
  ...databaseExperiments,
  ...failoverExperiments,
  redis,
  searching,
  halfForms,
]

const MOST_MS = 15 * 60_000
/** Reserved for reading everything back and ending the processes after the last tries. */
const SPARE_MS = 90_000
/** For the clean-up of an experiment that was stopped. */
const LAST_MS = 60_000
const SEED = 1

const HELP = `npm run test:faults kills, stops and starves the real product on this machine (loopback only, its own databases
in temporary folders) while people write, and counts what was lost, doubled, or did not come back. It takes 15 minutes
at most and ends with 1 when a promise was not kept.

  --only a,b    these experiments alone
  --tries N     how often each fault is done
  --seed N      the same moments and choices as in another run with it (${SEED})

${EXPERIMENTS.map(({ name, tries, about }) => `  ${name.padEnd(12)} ${about} (${tries} tries)`).join('\n')}
`

async function run(): Promise<void> {
  const { values } = readArguments(HELP, {
    options: {
      only: { type: 'string' },
      tries: { type: 'string' },
      seed: { type: 'string', default: `${SEED}` },
    },
  })
  const names = values.only?.split(',') ?? EXPERIMENTS.map(({ name }) => name)
  const isKnown = names.every((name) => EXPERIMENTS.some((each) => each.name === name))
  const seed = Number(values.seed)
  const tries = values.tries === undefined ? null : Number(values.tries)
  if (!isKnown || !Number.isInteger(seed) || !(tries === null || tries >= 1)) {
    say(HELP)
    process.exitCode = 1
    return
  }
  const report = beginReport(seed, `Node ${process.version}`)
  await buildProduct()
  const due = EXPERIMENTS.filter(({ name }) => names.includes(name))
  const outcomes: Outcome[] = []
  let isOver = false
  const end = (why = '') => {
    if (isOver) return
    isOver = true
    outcomes.push(...due.map(({ name }) => notDone(name, why)))
    endReport(report, 'test:faults', outcomes)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => end('it was stopped'))
  // An experiment that hangs cleans up on SIGTERM.
  const late = setTimeout(() => {
    end('the time was over')
    process.kill(process.pid, 'SIGTERM')
    setTimeout(() => process.exit(1), LAST_MS).unref()
  }, MOST_MS)
  const lastTry = performance.now() + MOST_MS - SPARE_MS
  for (let next = due[0]; next !== undefined; next = due[0]) {
    // Each gets its share of the remaining time.
    const all = due.reduce((sum, { seconds }) => sum + seconds, 0)
    const now = performance.now()
    const until = now + ((lastTry - now) * next.seconds) / all
    const found = await attempt(next, { tries: tries ?? next.tries, seed, say, until })
    // Failures after a stop mean nothing.
    if (isOver) return
    due.shift()
    outcomes.push(...found)
    for (const outcome of found) sayOutcome(outcome)
  }
  clearTimeout(late)
  end()
}

/** An experiment that fails doesn't stop the others. */
async function attempt(experiment: Experiment, options: Required<ExperimentOptions>) {
  const { tries, until } = options
  const seconds = Math.round((until - performance.now()) / 1000)
  say(`${experiment.name}, ${tries} tries, none of which begins after ${seconds} s`)
  try {
    const outcomes = await experiment.run(options)
    if (performance.now() < until) return outcomes
    return outcomes.map((outcome) => ({
      ...outcome,
      note: [outcome.note, 'its time was over'].filter(Boolean).join('; '),
    }))
  } catch (error) {
    return [notDone(experiment.name, error)]
  }
}

await run()
