/** `npm run economy -- --of URL` prints the figures of a database; without `--of` it runs the simulation of the lab. */
import { join } from 'node:path'
import {
  type EconomyDay,
  type Figure,
  type FigureName,
  HEALTHY,
  sumByReason,
  type UnusualAccount,
} from '#contract/economy.ts'
import english from '#contract/messages/en.json' with { type: 'json' }
import { readEconomy } from '#server/operate/economy/reading.ts'
import { connect } from '#server/platform/db/connect.ts'
import { createLog } from '#server/kernel/log.ts'
import { readArguments } from '#scripts/arguments.mjs'
import { openly, root } from '#scripts/commands.mjs'
import { Failure, run } from '#scripts/status.mjs'

const HELP = `npm run economy -- --of DATABASE_URL   prints the figures of the desk's tab Economy: the last 90 days that were counted

npm run economy   simulates people and farmers, and prints how each rule of the economy changes the outcome:

  --agents N    this many people (10000)
  --days N      for this many days (365)
  --seed N      the same seed gives the same table (1)
  --rules LIST  only these columns, with commas between; see lab/economy/rules.ts
  --in FOLDER   keeps the state here, so that an interrupted simulation goes on
`

const TEXT = { type: 'string' } as const
const SIMULATION = { agents: TEXT, days: TEXT, seed: TEXT, rules: TEXT, in: TEXT }

const en = english.desk

const NAMES: Readonly<Record<FigureName, string>> = {
  newcomers: en.economyNewcomersName,
  daysToUnlock: en.economyDaysName,
  spentOfMade: en.economySpentName,
  withheld: en.economyWithheldName,
  gini: en.economyGiniName,
  topShare: en.economyTopName,
}

const DOES: Readonly<Record<UnusualAccount['what'], string>> = {
  withheld: 'rewards withheld',
  takenBack: 'rewards taken back',
  mutual: 'authors who unlocked each other',
  stars: 'authors who gave each other five stars',
  earner: 'points earned, a tenth of all or more',
}

const say = (line: string) => void process.stdout.write(`${line}\n`)
const percent = (share: number) => `${(100 * share).toFixed(0)}%`
const formatOf = (name: FigureName) =>
  name === 'daysToUnlock' ? (days: number) => `${days.toFixed(1)} days` : percent

function describe({ name, value, state }: Figure): string {
  const format = formatOf(name)
  const { min, max } = HEALTHY[name]
  const range = [
    min === undefined ? '' : `from ${format(min)}`,
    max === undefined ? '' : `up to ${format(max)}`,
  ]
  const sign = { healthy: '✓', low: '✗', high: '✗', unknown: '?' }[state]
  const shown = value === null ? '–' : format(value)
  return `${sign} ${NAMES[name].padEnd(32)} ${shown.padStart(9)}   healthy ${range.filter(Boolean).join(' ')}`
}

async function printFigures(url: string): Promise<void> {
  const connection = connect({ connectionString: url }, createLog('silent'), { size: 1 })
  try {
    const { figures, days, unusual } = await readEconomy(connection.db)
    const last = days.at(-1)
    if (last === undefined) return say('No day has been counted yet.')
    const sum = (read: (day: EconomyDay) => number) => days.reduce((all, day) => all + read(day), 0)
    say(
      `${days.length} days until ${last.day}: ${last.supply} points, ${last.debt} points of debt, ${sum((day) => day.newcomers)} newcomers, ${sum((day) => day.unlocks)} unlocks`,
    )
    for (const figure of figures) say(describe(figure))
    for (const part of ['made', 'spent', 'withheld'] as const) {
      const list = sumByReason(days, part).map(([reason, sum]) => `${reason} ${sum}`)
      say(`${part}: ${list.length === 0 ? 'nothing' : list.join(', ')}`)
    }
    for (const { person, what, count } of unusual)
      say(`! ${person.userName}: ${count} ${DOES[what]}`)
  } finally {
    await connection.close()
  }
}

await run(async () => {
  const options = { ...SIMULATION, of: TEXT }
  const { of } = readArguments(HELP, { options }).values
  if (of === undefined) {
    const words = [join(root, 'lab/economy/run.ts'), ...process.argv.slice(2)]
    process.exitCode = await openly(process.execPath, words)
    return
  }
  await printFigures(of).catch((error: unknown) => {
    // Errors of the database and the network have a code, unlike bugs.
    if (!(error instanceof Error) || !('code' in error)) throw error
    throw new Failure(`The figures can't be read: ${error.message}`)
  })
})
