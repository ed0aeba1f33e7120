/** `npm run test:cluster`: the whole picture of `npm run cluster`, harmed part by part under load, and what it cost. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeMachine } from '#server/testing/machine.ts'
import { breachesOf, type Outcome } from '#lab/faults/experiment.ts'
import { formatOutcome, formatOutcomes, writeTable } from '#lab/faults/table.ts'
import { readArguments } from '#scripts/arguments.mjs'
import { ensureBuilt } from '#scripts/build.mjs'
import { startCluster, type Cluster } from './cluster.ts'
import { ensurePackages } from './packages.ts'
import { Failure, run } from '#scripts/status.mjs'
import { cuts } from './cuts.ts'
import { scaling } from './figures.ts'
import { kills } from './kills.ts'
import type { ClusterExperiment } from './scene.ts'
import { upgrade } from './upgrade.ts'

/** In the order in which they run. */
const EXPERIMENTS: readonly ClusterExperiment[] = [...kills, ...cuts, upgrade, scaling]
const SEED = 1
const DOCUMENT = join('docs', 'reliability.md')
const OUT = join('node_modules', '.cache', 'faults')

const HELP = `npm run test:cluster starts the cluster of npm run cluster and harms it part by part while people write, and counts what
was lost, doubled, or did not come back. It takes a quarter of an hour and ends with 1 when a promise was not kept.

  --only a,b      these experiments alone
  --tries N       how often each fault is done
  --nodes N       processes that serve (3)
  --databases N   PostgreSQL servers (3)
  --loopback      no network namespaces: nothing is cut off
  --seed N        the same moments and choices as in another run with it (${SEED})
  --write         put the table into ${DOCUMENT}; with --only, its rows into the table there

${EXPERIMENTS.map(({ name, tries, about }) => `  ${name.padEnd(14)} ${about} (${tries} tries)`).join('\n')}
`

/** Sessions that outlast the test, no limits for its few people, and points to buy with. */
const ENVIRONMENT = {
  ACCESS_TOKEN_MINUTES: '600',
  RATE_LIMITS: 'off',
  DAILY_REWARD_LIMIT: '10000',
  WELCOME_POINTS: '1000',
}

const say = (line: string) => void process.stdout.write(`${line}\n`)

function readWords() {
  return readArguments(HELP, {
    options: {
      only: { type: 'string' },
      tries: { type: 'string' },
      nodes: { type: 'string', default: '3' },
      databases: { type: 'string', default: '3' },
      seed: { type: 'string', default: `${SEED}` },
      loopback: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  }).values
}

async function main(): Promise<void> {
  const words = readWords()
  const chosen = words.only?.split(',') ?? EXPERIMENTS.map(({ name }) => name)
  const numbers = [words.nodes, words.databases, words.seed, words.tries ?? '1'].map(Number)
  const isKnown = chosen.every((name) => EXPERIMENTS.some((each) => each.name === name))
  if (!isKnown || numbers.some((number) => !Number.isInteger(number) || number < 1))
    throw new Failure(HELP)
  ensurePackages(say)
  await ensureBuilt(process.execPath)
  const machine = describeMachine()
  const where =
    `Commit ${machine.commit}, ${machine.date} UTC, seed ${words.seed}. ${machine.cpu}, ${machine.cores} cores, ` +
    `${machine.memoryGb} GB, load ${machine.load.toFixed(1)} at the start; ${words.nodes} nodes, ${words.databases} PostgreSQL servers.`
  say(`${where}\n`)
  const cluster = await startCluster(
    {
      nodes: Number(words.nodes),
      workers: 1,
      databases: Number(words.databases),
      onLoopback: words.loopback,
      environment: ENVIRONMENT,
      say: (line) => say(`  ${line.trim()}`),
    },
    endWhenSignalled,
  )
  const outcomes: Outcome[] = []
  try {
    for (const each of EXPERIMENTS.filter(({ name }) => chosen.includes(name))) {
      const tries = words.tries === undefined ? each.tries : Number(words.tries)
      const found = await attempt(cluster, each, tries, Number(words.seed))
      outcomes.push(...found)
      for (const outcome of found) say(`  ${formatOutcome(outcome)}`)
    }
  } finally {
    await cluster.stop()
  }
  say(`\n${formatOutcomes(outcomes)}\n`)
  mkdirSync(OUT, { recursive: true })
  const file = join(OUT, `cluster-${machine.commit}.json`)
  writeFileSync(file, JSON.stringify({ machine, outcomes }, null, 1))
  say(`Written to ${file}.`)
  const only = words.only === undefined ? null : chosen
  if (words.write) writeTable(DOCUMENT, 'test:cluster', { where, only, outcomes })
  process.exit(outcomes.some((outcome) => breachesOf(outcome).length > 0) ? 1 : 0)
}

function endWhenSignalled(stop: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void stop().finally(() => process.exit(130)))
}

/** An experiment that can't be done leaves the others alone, and fails the run. */
async function attempt(
  cluster: Cluster,
  experiment: ClusterExperiment,
  tries: number,
  seed: number,
): Promise<Outcome[]> {
  const { name, about } = experiment
  say(`${name}: ${about}, ${tries} tries`)
  try {
    return await experiment.run({ cluster, seed, tries, say })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const none = { tries: 0, acknowledged: 0, lost: 0, doubled: 0, died: 0, recoveryMs: [] }
    const breach = `not done: ${why.replaceAll(/\s+/g, ' ').slice(0, 300)}`
    return [{ fault: about, ...none, breaches: [breach] }]
  }
}

await run(main)
