/** `npm run economy` simulates the economy and prints how each rule changes the outcome. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Outcome } from './measure.ts'
import { report } from './report.ts'
import { RULES } from './rules.ts'
import { openStage } from './stage.ts'

const TEXT = { type: 'string' } as const
const options = { agents: TEXT, days: TEXT, seed: TEXT, rules: TEXT, in: TEXT }
// scripts/economy.ts has refused unknown options and printed the help.
const { values: given } = parseArgs({ options })

const numberOf = (text: string | undefined, otherwise: number) => {
  const number = text === undefined ? otherwise : Number(text)
  if (Number.isSafeInteger(number) && number > 0) return number
  console.error(`${text} is not a number above 0`)
  process.exit(1)
}
const size = {
  seed: numberOf(given.seed, 1),
  agents: numberOf(given.agents, 10_000),
  days: numberOf(given.days, 365),
}
const chosen = given.rules?.split(',') ?? Object.keys(RULES)
const unknown = chosen.filter((name) => RULES[name] === undefined)
if (unknown.length > 0) {
  console.error(`There are no rules ${unknown.join(', ')}, only ${Object.keys(RULES).join(', ')}`)
  process.exit(1)
}

/** Simulations at once, one for each core that they may use. */
const AT_ONCE = 2

const folder = given.in ?? (await mkdtemp(join(tmpdir(), 'kb-economy-')))
await mkdir(folder, { recursive: true })
const stage = await openStage(folder, size)
try {
  const outcomes = new Map<string, Outcome>()
  const waiting = [...chosen]
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      outcomes.set(name, await simulate(name))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const columns = chosen.flatMap((name) => {
    const outcome = outcomes.get(name)
    return outcome === undefined ? [] : [{ title: RULES[name]?.title ?? name, outcome }]
  })
  console.log(`${size.agents} people, ${size.days} days, seed ${size.seed}\n\n${report(columns)}`)
} finally {
  await stage.close()
  if (given.in === undefined) await rm(folder, { recursive: true, force: true })
}

async function simulate(name: string): Promise<Outcome> {
  const began = performance.now()
  let heard = began
  const outcome = await stage.run(name, ({ rules, day, acts }) => {
    const rate = (1000 * acts) / (performance.now() - heard)
    heard = performance.now()
    console.error(`${rules}: day ${day} of ${size.days}, ${rate.toFixed(0)} acts a second`)
  })
  console.error(`${name}: done after ${((performance.now() - began) / 1000).toFixed(0)} s`)
  return outcome
}
