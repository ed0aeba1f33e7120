/** `npm run test:cluster` harms the cluster of `npm run cluster` part by part under load. */
import type { Outcome } from '#lab/faults/experiment.ts'
import { beginReport, endReport, notDone, say, sayOutcome } from '#lab/faults/report.ts'
import { readArguments } from '#scripts/arguments.mjs'
import { ensureBuilt } from '#scripts/build.mjs'
import { startCluster } from './cluster.ts'
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

const HELP = `npm run test:cluster starts the cluster of npm run cluster and harms it part by part while people write, and counts what
was lost, doubled, or did not come back. It takes a quarter of an hour and ends with 1 when a promise was not kept.

  --only a,b      these experiments alone
  --tries N       how often each fault is done
  --nodes N       processes that serve (3)
  --databases N   PostgreSQL servers (3)
  --loopback      no network namespaces: nothing is cut off
  --seed N        the same moments and choices as in another run with it (${SEED})

${EXPERIMENTS.map(({ name, tries, about }) => `  ${name.padEnd(14)} ${about} (${tries} tries)`).join('\n')}
`

/** Sessions that outlast the test, no limits for its few people, and points to spend. */
const ENVIRONMENT = {
  ACCESS_TOKEN_MINUTES: '600',
  RATE_LIMITS: 'off',
  DAILY_REWARD_LIMIT: '10000',
  WELCOME_POINTS: '1000',
}

function readWords() {
  return readArguments(HELP, {
    options: {
      only: { type: 'string' },
      tries: { type: 'string' },
      nodes: { type: 'string', default: '3' },
      databases: { type: 'string', default: '3' },
      seed: { type: 'string', default: `${SEED}` },
      loopback: { type: 'boolean', default: false },
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
  const seed = Number(words.seed)
  const size = `${words.nodes} nodes, ${words.databases} PostgreSQL servers`
  const report = beginReport(seed, size)
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
      const { name, about } = each
      const tries = words.tries === undefined ? each.tries : Number(words.tries)
      say(`${name}: ${about}, ${tries} tries`)
      const found = await each
        .run({ cluster, seed, tries, say })
        .catch((error: unknown) => [notDone(about, error)])
      outcomes.push(...found)
      for (const outcome of found) sayOutcome(outcome)
    }
  } finally {
    await cluster.stop()
  }
  endReport(report, 'test:cluster', outcomes)
  process.exit()
}

function endWhenSignalled(stop: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void stop().finally(() => process.exit(130)))
}

await run(main)
