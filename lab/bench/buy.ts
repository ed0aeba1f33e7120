/** Buying: ours over HTTP, every one a sale, against the bare statement through node:http and pg. */
import { SECRET } from '#lab/product.ts'
import { createTokens } from '#server/accounts/sessions/tokens.ts'
import { systemClock } from '#server/kernel/clock.ts'
import { sellLessons } from '#server/purchases/store.ts'
import type { Market } from './market.ts'
import { compareWithReference } from './reference-job.ts'
import type { Served, Settings, Side } from './rounds.ts'
import { createRecorder } from './statements.ts'
import { COMPARISON_COLUMNS, comparisonRow, wrongNotes, type Section } from './table.ts'

/** Percent of the price for the author, by default. */
const SHARE = 10
/** A prime, so that no buyer meets a lesson twice before all have met all. */
const BUYERS = 199

/** Measures purchases. Every request is a real sale: each buyer buys each lesson once. */
export async function benchBuy(
  product: Served,
  { connection, lessons, buyers }: Market,
  settings: Settings,
): Promise<Section[]> {
  // The statement is recorded in the name of the first.
  const [sample = '', ...people] = buyers
  const tokens = createTokens({ secrets: [SECRET], accessMinutes: 600, clock: systemClock })
  const bearers: string[] = []
  for (const id of people.slice(0, BUYERS))
    bearers.push(`Bearer ${await tokens.signAccess(id, id)}`)

  const recorder = createRecorder(connection)
  const recorded = await recorder.record((db) =>
    sellLessons(db, [{ userId: sample, itemId: 1 }], {
      percent: SHARE,
      at: new Date(),
      patienceMs: null,
    }),
  )
  await recorder.close()
  const [statement] = recorded
  if (statement === undefined || recorded.length !== 1)
    throw new Error(`buying takes ${recorded.length} statements`)
  const ids = shuffledIds(lessons)
  const load: Side['load'] = {
    port: product.port,
    method: 'POST',
    paths: ids.map((id) => `/api/lesson/buy/${id}`),
    authorizations: bearers,
    headers: { accept: 'application/json' },
    expect: { status: 200, bytes: 10, field: '"kbPoints":9' },
  }
  const found = await compareWithReference(
    settings,
    product,
    load,
    { kind: 'buy', connection, statement, buyer: sample },
    {
      paths: ids.map((id) => `/${id}`),
      authorizations: people.slice(BUYERS, 2 * BUYERS - 2),
      expect: { ...load.expect, field: '"netAfter":9' },
    },
  )
  return [
    {
      title: 'Buying, against the bare statement through node:http + pg, both durable',
      columns: COMPARISON_COLUMNS,
      rows: [comparisonRow('buy', found, 0.6)],
      notes: wrongNotes('buy', found),
      raw: found,
    },
  ]
}

/** All ids in an order in which neighbours are far apart, so that people don't wait for one lesson. */
function shuffledIds(lessons: number): number[] {
  return Array.from({ length: lessons }, (_, place) => 1 + ((place * 7919) % lessons))
}
