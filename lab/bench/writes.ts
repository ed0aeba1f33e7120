/** Measures buying, liking and commenting. Every request changes something, with a different person and lesson. */
import { SECRET } from '#lab/product.ts'
import { createTokens } from '#server/people/accounts/sessions/tokens.ts'
import { systemClock } from '#server/kernel/clock.ts'
import type { Market } from './market.ts'
import {
  createLoader,
  medianOf,
  type Served,
  type Settings,
  type Side,
  type Turn,
} from './rounds.ts'
import type { Section } from './table.ts'

/** A prime, so that no person meets a lesson twice before all have met all. */
const PEOPLE = 199

/** Comments come last, because only buyers may write them. */
export async function benchWrites(
  { pid, port }: Served,
  { lessons, buyers }: Market,
  settings: Settings,
): Promise<Section[]> {
  const tokens = createTokens({ secrets: [SECRET], accessMinutes: 600, clock: systemClock })
  const authorizations: string[] = []
  for (const id of buyers.slice(0, PEOPLE))
    authorizations.push(`Bearer ${await tokens.signAccess(id, id)}`)
  const ids = shuffledIds(lessons)
  const headers = { accept: 'application/json' }
  const sideOf = (path: string, field: string, body?: string): Side => ({
    pid,
    load: {
      port,
      method: 'POST',
      paths: ids.map((id) => `/api/${path}/${id}`),
      authorizations,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
      expect: { status: 200, bytes: 10, field },
    },
  })
  const text = 'What somebody had to say about it'
  const found = [
    { what: 'buy', turns: await measure(settings, sideOf('lesson/buy', '"kbPoints":9')) },
    { what: 'like', turns: await measure(settings, sideOf('lesson/like', '"likes":')) },
    {
      what: 'comment',
      turns: await measure(settings, sideOf('comment/create', text, JSON.stringify({ text }))),
    },
  ]
  return [
    {
      title: 'Buying, liking and commenting, all of it durable',
      columns: ['what', 'per second', 'CPU ms', 'wrong'],
      rows: found.map(({ what, turns }) => [
        what,
        medianOf(turns, 'perSecond').toFixed(0),
        medianOf(turns, 'cpu').toFixed(2),
        String(turns.reduce((sum, { wrong }) => sum + wrong, 0)),
      ]),
      notes: found.flatMap(({ what, turns }) =>
        turns
          .filter(({ firstWrong }) => firstWrong !== '')
          .slice(0, 1)
          .map(({ firstWrong }) => `${what}: ${firstWrong}`),
      ),
      raw: found,
    },
  ]
}

/** The first round doesn't count. */
async function measure(settings: Settings, side: Side): Promise<Turn[]> {
  const load = createLoader(settings)
  await load(side, 1)
  const turns: Turn[] = []
  for (let round = 0; round < settings.rounds; round += 1) turns.push(await load(side))
  return turns
}

/**
 * Returns all ids in an order where neighbours are far apart, so that requests don't wait for the lock of one
 * lesson.
 */
function shuffledIds(lessons: number): number[] {
  return Array.from({ length: lessons }, (_, place) => 1 + ((place * 7919) % lessons))
}
