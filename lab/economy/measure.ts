/** Measures the outcome of a simulation: quality.md's targets, and the product's own figures. */
import { sql } from 'kysely'
import { ECONOMY_DAYS, MAKES, readFigures, type FigureName } from '#contract/economy.ts'
import { rankItems } from '#server/items/ratings/ranking.ts'
import { createLog } from '#server/kernel/log.ts'
import { createEvents } from '#server/platform/events/events.ts'
import { countDay } from '#server/operate/economy/counting.ts'
import { readEconomy } from '#server/operate/economy/reading.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { KINDS } from './simulate.ts'
import { dayOf, type World } from './world.ts'

export interface Outcome {
  readonly made: number
  /** Points that each kind of farmer farmed. */
  readonly farmed: Readonly<Record<string, number>>
  readonly copies: number
  readonly copiesEarned: number
  /** Of people who joined at least a week before the end. */
  readonly unlockedInWeek: number
  readonly wishesMet: number
  /** The largest part of a price that reached the account of the author. */
  readonly moved: number
  /** Of what was unlocked by people who return, this part was returned. */
  readonly returned: number
  /** Of the 20 best rated lessons, those by raters. */
  readonly bestByRaters: number
  readonly figures: Readonly<Record<FigureName, number | null>>
  readonly lessons: number
  readonly unlocks: number
}

interface Sum {
  readonly user_id: string
  readonly reason: string
  readonly amount: number
  readonly count: number
}

const WEEK = 7
const BEST = 20

export async function measure(db: Db, world: World): Promise<Outcome> {
  const { agents, copies, day } = world.state
  const { rows } = await sql<Sum>`
    select user_id, reason, sum(amount) as amount, count(*) as count from point_entries group by user_id, reason`.execute(
    db,
  )
  const kindOf = new Map(agents.map(({ id, kind }) => [id, kind]))
  const sum = (
    matches: (row: Sum) => boolean,
    read: (row: Sum) => number = ({ amount }) => amount,
  ) => rows.filter(matches).reduce((total, row) => total + read(row), 0)
  const farmers = KINDS.filter(({ farms }) => farms.length > 0)
  const ofKind = (name: string, reasons: readonly string[]) =>
    sum(({ user_id, reason }) => kindOf.get(user_id) === name && reasons.includes(reason))
  const honest = agents.filter(({ kind }) => !farmers.some(({ name }) => name === kind))
  const settled = honest.filter(({ joins }) => joins <= day - WEEK)
  const isQuick = ({ firstUnlock, joins }: (typeof honest)[number]) =>
    firstUnlock !== null && firstUnlock <= joins + WEEK
  const wishes = honest.reduce((total, agent) => total + agent.wishes, 0)
  const met = honest.reduce((total, agent) => total + agent.met, 0)
  const ofReturners = (reason: string) =>
    sum(
      (row) => kindOf.get(row.user_id) === 'buys and returns' && row.reason === reason,
      ({ count }) => count,
    )
  return {
    made: sum(({ reason }) => MAKES.has(reason)),
    farmed: Object.fromEntries(farmers.map(({ name, farms }) => [name, ofKind(name, farms)])),
    copies: copies.length,
    copiesEarned: await earnedBy(db, copies),
    unlockedInWeek: settled.length === 0 ? 0 : settled.filter(isQuick).length / settled.length,
    wishesMet: wishes === 0 ? 0 : met / wishes,
    moved: await findLargestShare(db),
    returned: ofReturners('returned') / Math.max(1, ofReturners('bought')),
    bestByRaters: await countBest(db, world),
    figures: await countFigures(db, day),
    lessons: sum(
      ({ reason }) => reason === 'created' || reason === 'rewardWithheld',
      ({ count }) => count,
    ),
    unlocks: sum(
      ({ reason }) => reason === 'bought' || reason === 'trusted',
      ({ count }) => count,
    ),
  }
}

/** Points that these lessons have earned by rewards and shares. */
async function earnedBy(db: Db, lessons: readonly number[]): Promise<number> {
  const { rows } = await sql<{ points: number }>`
    select coalesce(sum(amount), 0) as points from point_entries
    where item_kind = 'lesson' and item_id = any(${lessons}::bigint[])
      and reason in ('created', 'rewardWithdrawn', 'share', 'shareReturned')`.execute(db)
  return rows[0]?.points ?? 0
}

async function findLargestShare(db: Db): Promise<number> {
  const { rows } = await sql<{ part: number }>`
    select coalesce(max(share.amount / -sale.amount::float8), 0) as part
    from point_entries share join point_entries sale
      on sale.user_id::text = share.occurrence and sale.item_kind = share.item_kind and sale.item_id = share.item_id
    where share.reason = 'share' and sale.reason in ('bought', 'trusted')`.execute(db)
  return rows[0]?.part ?? 0
}

async function countBest(db: Db, world: World): Promise<number> {
  await rankItems({ db, clock: world.clock, events: createEvents(createLog('silent')) })
  const raters = world.state.agents
    .filter(({ kind }) => kind === 'rates in a ring')
    .map(({ id }) => id)
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select owner_id from lessons where deleted_at is null and ratings > 0 order by rating_rank desc, id limit ${BEST}
    ) best where owner_id = any(${raters.filter((id) => id !== '')}::uuid[])`.execute(db)
  return rows[0]?.count ?? 0
}

/** The product's own figures of the last 90 days. */
async function countFigures(db: Db, day: number): Promise<Outcome['figures']> {
  for (let each = Math.max(0, day - ECONOMY_DAYS + 1); each <= day; each += 1)
    await countDay(db, dayOf(each))
  const { days } = await readEconomy(db)
  return Object.fromEntries(
    readFigures(days).map(({ name, value }) => [name, value]),
  ) as Outcome['figures']
}
