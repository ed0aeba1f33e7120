/**
 * `npm run bench`: this product against the machine's own limit, as ratios. Prints tables, writes JSON, and never
 * fails for being slow. HELP tells its options.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { benchApi } from './api.ts'
import { benchBuy } from './buy.ts'
import { benchBytes } from './bytes.ts'
import { showCall } from './call.ts'
import { fillLessons } from './fill.ts'
import { readArguments } from '#scripts/arguments.mjs'
import { fillMarket } from './fill-market.ts'
import { benchLighthouse } from './lighthouse.ts'
import { benchInteractions } from './interactions.ts'
import { describeMachine } from '#server/testing/machine.ts'
import { openMarket, READER, type Market } from './market.ts'
import { benchPages } from './pages.ts'
import { endAll } from './process.ts'
import { buildPages, startProductOn } from './product.ts'
import type { Settings } from './rounds.ts'
import { benchSearch } from './search.ts'
import { benchStart } from './start.ts'
import { formatSection, type Section } from './table.ts'

const HELP = `npm run bench -- [options] measures the product against the machine's own limit and prints tables; all of
it takes long, and wants a quiet machine.

  --only pages,api,buy,search,start,bytes,interactions,lighthouse   these parts
  --quick                                              shorter and rougher
  --seconds 1                                          length of a round
  --call "GET /api/lesson/all?page=7"                  the statements of one call or page, with their plans
  --as guest                                           who calls: guest, reader, author, crowd, administrator
  --body '{"text":"…"}' --lessons 10000                what is sent, and the size of the database
`
const PARTS = [
  'pages',
  'api',
  'buy',
  'search',
  'start',
  'bytes',
  'interactions',
  'lighthouse',
] as const
type Part = (typeof PARTS)[number]

const SOME = 100_000
const MANY = 1_000_000
const COURSES = 30_000
const OUT = join('node_modules', '.cache', 'bench')

const flag = { type: 'boolean' } as const
const text = { type: 'string' } as const
readArguments(HELP, {
  options: {
    quick: flag,
    call: text,
    as: text,
    body: text,
    lessons: text,
    seconds: text,
    only: { type: 'string', multiple: true },
  },
})
const args = process.argv.slice(2)
const quick = args.includes('--quick')
const only = args.flatMap((word, place) => (args[place - 1] === '--only' ? word.split(',') : []))
const given = Number(args[args.indexOf('--seconds') + 1])
const seconds = args.includes('--seconds') && given > 0 ? given : quick ? 1 : 2
const settings: Settings = {
  rounds: quick ? 2 : 5,
  seconds,
  connections: 16,
  quick,
}

/** Lighthouse takes minutes: a quick run goes without. */
function isAsked(part: Part): boolean {
  return only.length === 0 ? !(quick && part === 'lighthouse') : only.includes(part)
}

async function run(): Promise<void> {
  const unknown = only.find((name) => !PARTS.some((part) => part === name))
  if (unknown !== undefined) {
    say(`There is no part "${unknown}": ${PARTS.join(', ')}.`)
    process.exitCode = 1
    return
  }
  const machine = describeMachine()
  const sections: Section[] = []
  const add = (found: readonly Section[]) => {
    for (const section of found) {
      sections.push(section)
      say(formatSection(section))
    }
  }
  let postgres = ''
  say(
    `Commit ${machine.commit}, ${machine.date} UTC. ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, load ${machine.load.toFixed(1)}; Node ${machine.node}.`,
  )
  say(
    `${settings.rounds} rounds of ${settings.seconds} s, ${settings.connections} connections; ratios are the middle of the pairs (least–most).\n`,
  )
  await buildPages()
  const parts: [Part, () => Promise<Section[]>][] = [
    ['start', () => benchStart(settings)],
    ['bytes', () => benchBytes()],
    ['interactions', () => benchInteractions(settings)],
    ['lighthouse', () => benchLighthouse(settings)],
  ]
  if ((['pages', 'api', 'buy', 'search'] as const).some(isAsked)) {
    const market = await openMarket({ lessons: SOME, courses: COURSES, share: 1 })
    postgres = market.version
    say(`PostgreSQL ${postgres}.\n`)
    try {
      await benchMarket(market, add)
      if (isAsked('search')) await benchMany(market, add)
    } finally {
      await market.stop()
    }
  }
  for (const [part, work] of parts) {
    if (isAsked(part)) add(await attempt(part, work))
  }
  await mkdir(OUT, { recursive: true })
  const file = join(OUT, `${machine.commit}.json`)
  await writeFile(file, JSON.stringify({ machine, postgres, settings, sections }, null, 1))
  say(`Written to ${file}.`)
}

/** The parts that ask a running product. */
async function benchMarket(
  database: Market,
  add: (found: readonly Section[]) => void,
): Promise<void> {
  if (!(['pages', 'api', 'buy'] as const).some(isAsked)) return
  const product = await startProductOn(database, { probed: true })
  try {
    const { lessons, courses } = database
    const subject = { product, database, lessons, courses, reader: READER }
    // The numbers that the list pages cache are there before anything is measured.
    for (const kind of ['lesson', 'course'])
      await fetch(`http://127.0.0.1:${product.port}/api/${kind}/browse`)
    if (isAsked('pages')) add(await attempt('pages', () => benchPages(subject, settings)))
    if (isAsked('api')) add(await attempt('api', () => benchApi(subject, settings)))
    if (isAsked('buy')) add(await attempt('buy', () => benchBuy(subject, settings)))
  } finally {
    await product.stop()
  }
}

/** Searches at MANY lessons, to which the copy grows; a quick run stays at SOME. */
async function benchMany(
  database: Market,
  add: (found: readonly Section[]) => void,
): Promise<void> {
  const { client } = database
  if (quick) await client.query('vacuum (analyze)')
  else {
    await fillLessons(client, SOME + 1, MANY)
    await fillMarket(client, { lessons: MANY, courses: MANY / 10, share: 1 })
  }
  add(await attempt('search', () => benchSearch(database, quick ? SOME : MANY, settings)))
}

/** A part that can't be measured leaves the others alone. */
async function attempt(part: Part, work: () => Promise<Section[]>): Promise<Section[]> {
  try {
    return await work()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [
      {
        title: `${part}: not measured`,
        columns: ['why'],
        rows: [[why.replaceAll(/\s+/g, ' ').slice(0, 500)]],
        notes: [],
        raw: why,
      },
    ]
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

process.once('SIGINT', () => {
  endAll()
  process.exit(130)
})
await (args.includes('--call') ? showCall(args) : run())
