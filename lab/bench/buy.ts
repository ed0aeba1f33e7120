/** Buying: ours over HTTP, every one a sale, against the bare statement through node:http and pg. */
import { createTokens } from '#server/accounts/sessions/tokens.ts'
import { systemClock } from '#server/kernel/clock.ts'
import { sellLessons } from '#server/purchases/store.ts'
import type { BenchDatabase } from './database.ts'
import { fillBuyers } from './fill.ts'
import { SECRET, startReference, type Served } from './product.ts'
import { compare, type Settings, type Side } from './rounds.ts'
import { createRecorder } from './statements.ts'
import { COMPARISON_COLUMNS, comparisonRow, wrongNotes, type Section } from './table.ts'

/** Percent of the price for the author, as in an installation that changed nothing. */
const SHARE = 10
/** Primes, so that no buyer meets a lesson twice before all have met all. */
const BUYERS = 199
const OTHERS = 197

/** Measures purchases. Every request is a real sale: each buyer buys each lesson once. */
export async function benchBuy(
  { product, database, lessons }: { product: Served; database: BenchDatabase; lessons: number },
  settings: Settings,
): Promise<Section[]> {
  // One more, in whose name the statement is recorded.
  const [sample, ...people] = await fillBuyers(database.client, BUYERS + OTHERS + 1)
  if (sample === undefined) throw new Error('no buyers were made')
  const tokens = createTokens({ secrets: [SECRET], accessMinutes: 600, clock: systemClock })
  const bearers: string[] = []
  for (const { userId, sessionId } of people.slice(0, BUYERS))
    bearers.push(`Bearer ${await tokens.signAccess(userId, sessionId)}`)

  const recorder = createRecorder(database.connection)
  const recorded = await recorder.record((db) =>
    sellLessons(db, [{ userId: sample.userId, itemId: 1 }], {
      percent: SHARE,
      at: new Date(),
      patienceMs: null,
    }),
  )
  await recorder.close()
  const [statement] = recorded
  if (statement === undefined || recorded.length !== 1)
    throw new Error(`buying takes ${recorded.length} statements`)
  const reference = await startReference({
    kind: 'buy',
    connection: database.connection,
    statement,
    buyer: sample.userId,
  })
  try {
    const ids = shuffledIds(lessons)
    const load: Side['load'] = {
      port: product.port,
      method: 'POST',
      paths: ids.map((id) => `/api/lesson/buy/${id}`),
      authorizations: bearers,
      headers: { accept: 'application/json' },
      expect: { status: 200, bytes: 10, exact: false, field: '"kbPoints":9' },
    }
    const bare: Side['load'] = {
      ...load,
      port: reference.port,
      paths: ids.map((id) => `/${id}`),
      authorizations: people.slice(BUYERS).map((person) => person.userId),
      expect: { ...load.expect, field: '"netAfter":9' },
    }
    const found = await compare(
      settings,
      { pid: product.pid, load },
      { pid: reference.pid, load: bare },
    )
    return [
      {
        title: 'Buying, against the bare statement through node:http + pg, both durable',
        columns: COMPARISON_COLUMNS,
        rows: [comparisonRow('buy', found, { step: 0.5, goal: 0.6 })],
        notes: wrongNotes('buy', found),
        raw: found,
      },
    ]
  } finally {
    await reference.stop()
  }
}

/** All ids, neighbours far apart: people don't queue for one lesson. */
function shuffledIds(lessons: number): number[] {
  return Array.from({ length: lessons }, (_, place) => 1 + ((place * 7919) % lessons))
}
