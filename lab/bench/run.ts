/** `npm run bench` prints tables, writes JSON, and never fails because something is slow. */
import { benchApi } from './api.ts'
import { buildProduct } from '#lab/product.ts'
import { benchBytes } from './bytes.ts'
import { showCall } from './call.ts'
import { startProductOn } from './database.ts'
import { readArguments } from '#scripts/arguments.mjs'
import { benchLighthouse } from './lighthouse.ts'
import { benchInteractions } from './interactions.ts'
import { openMarket, type Market, type MarketSize } from './market.ts'
import { benchPages } from './pages.ts'
import type { Settings } from './rounds.ts'
import { benchSearch } from './search.ts'
import { benchStart } from './start.ts'
import { benchWrites } from './writes.ts'
import { beginReport, say, type Report, type Section } from './table.ts'

const HELP = `npm run bench -- [options] measures the product against the machine's own limit and prints tables; all of
it takes long, and wants a quiet machine.

  --only pages,api,writes,search,start,bytes,interactions,lighthouse   these parts
  --quick                                              shorter and rougher
  --seconds 1                                          length of a round
  --call "GET /api/lesson/all?page=7"                  the statements of one call or page, with their plans
  --as guest                                           who calls: guest, reader, author, crowd, administrator
  --body '{"text":"…"}' --lessons 10000                what is sent, and the size of the database
`
const PARTS = [
  'pages',
  'api',
  'writes',
  'search',
  'start',
  'bytes',
  'interactions',
  'lighthouse',
] as const
type Part = (typeof PARTS)[number]

const SOME = { lessons: 100_000, users: 20_000 }
const MANY = { lessons: 1_000_000, users: 100_000 }

const flag = { type: 'boolean', default: false } as const
const text = { type: 'string' } as const
const { values } = readArguments(HELP, {
  options: {
    quick: flag,
    call: text,
    as: text,
    body: text,
    lessons: text,
    seconds: text,
    only: { type: 'string', multiple: true, default: [] },
  },
})
const { quick } = values
const only = values.only.flatMap((words) => words.split(','))
const settings: Settings = {
  rounds: quick ? 2 : 5,
  seconds: Number(values.seconds) || (quick ? 1 : 2),
  connections: 16,
  quick,
}

/** A quick run omits Lighthouse, which takes minutes. */
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
  const report = beginReport('')
  let postgres = ''
  say(
    `${settings.rounds} rounds of ${settings.seconds} s, ${settings.connections} connections; ratios are the middle of the pairs (least–most).\n`,
  )
  await buildProduct()
  const parts: [Part, () => Promise<Section[]>][] = [
    ['start', () => benchStart(settings)],
    ['bytes', () => benchBytes()],
    ['interactions', () => benchInteractions(settings)],
    ['lighthouse', () => benchLighthouse(settings)],
  ]
  if ((['pages', 'api', 'writes'] as const).some(isAsked))
    await withMarket(SOME, async (market) => {
      postgres = market.version
      await benchMarket(market, report)
    })
  if (isAsked('search'))
    await withMarket(quick ? SOME : MANY, async (market) => {
      postgres = market.version
      await attempt(report, 'search', () => benchSearch(market, settings))
    })
  for (const [part, work] of parts) {
    if (isAsked(part)) await attempt(report, part, work)
  }
  await report.end({ postgres, settings })
}

async function withMarket(
  size: MarketSize,
  work: (market: Market) => Promise<void>,
): Promise<void> {
  const market = await openMarket(size)
  try {
    await work(market)
  } finally {
    await market.stop()
  }
}

/** The parts that need a running product. */
async function benchMarket(market: Market, report: Report): Promise<void> {
  const product = await startProductOn(market)
  try {
    // Caches the numbers on the list pages.
    for (const kind of ['lesson', 'course']) await fetch(`${product.url}/api/${kind}/browse`)
    for (const [part, bench] of [
      ['pages', benchPages],
      ['api', benchApi],
      ['writes', benchWrites],
    ] as const)
      if (isAsked(part)) await attempt(report, part, () => bench(product, market, settings))
  } finally {
    await product.stop()
  }
}

/** A failing part doesn't stop the others. */
async function attempt(
  report: Report,
  part: Part,
  work: () => Promise<readonly Section[]>,
): Promise<void> {
  try {
    report.add(...(await work()))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const rows = [[why.replaceAll(/\s+/g, ' ').slice(0, 500)]]
    report.add({ title: `${part}: not measured`, columns: ['why'], rows, notes: [], raw: why })
  }
}

// Also ends the child processes.
process.once('SIGINT', () => process.exit(130))
await (values.call === undefined ? run() : showCall(values.call, values))
