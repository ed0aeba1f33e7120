import { sql } from 'kysely'
import {
  ECONOMY_DAYS,
  MAKES,
  readFigures,
  type Economy,
  type EconomyDay,
  type UnusualAccount,
} from '#contract/economy.ts'
import { personImage } from '#server/people/accounts/answer.ts'
import type { DbOrTx } from '#server/platform/db/connect.ts'
import { FROM } from '#server/operate/economy/unusual.ts'

/** Reads the last 90 days that were counted, their figures, and the unusual accounts. */
export async function readEconomy(db: DbOrTx): Promise<Economy> {
  const days = await listDays(db)
  return { figures: readFigures(days), days, unusual: await listUnusual(db) }
}

interface DayRow extends Omit<EconomyDay, 'made' | 'spent'> {
  readonly amounts: Readonly<Record<string, number>>
  /** How much people's debts grew that day. */
  readonly owed: number
}

/** The last 90 that were counted, newest last. */
export async function listDays(db: DbOrTx): Promise<EconomyDay[]> {
  const { rows } = await sql<DayRow>`
    select to_char(day, 'YYYY-MM-DD') as day, supply, debt, amounts, rewarded, withheld, unlocks, newcomers,
      joined_week_ago as "joinedWeekAgo", unlocked_in_week as "unlockedInWeek", days_to_unlock as "daysToUnlock",
      gini, top_share as "topShare", people, lessons, messages, mails, active_people as "activePeople",
      failed_jobs as "failedJobs", owed
    from (select *, coalesce(debt - lag(debt) over (order by day), 0) as owed from economy_days) counted
    where day > (select max(day) from economy_days) - ${sql.lit(ECONOMY_DAYS)}
    order by day`.execute(db)
  return rows.map(({ amounts, owed, ...day }) => ({
    ...day,
    made: sideOf(amounts, 'made'),
    spent: { ...sideOf(amounts, 'spent'), ...(owed !== 0 && { owed: -owed }) },
  }))
}

function sideOf(amounts: DayRow['amounts'], side: 'made' | 'spent'): Record<string, number> {
  const isMade = side === 'made'
  return Object.fromEntries(
    Object.entries(amounts)
      .filter(([reason]) => MAKES.has(reason) === isMade)
      .map(([reason, amount]) => [reason, isMade ? amount : -amount]),
  )
}

interface UnusualRow {
  readonly id: string
  readonly username: string
  readonly picture: string | null
  readonly what: UnusualAccount['what']
  readonly count: number
}

/** The most unusual first. */
async function listUnusual(db: DbOrTx): Promise<UnusualAccount[]> {
  const { rows } = await sql<UnusualRow>`
    select u.id, u.username, p.key as picture, a.what, a.count
    from unusual_accounts a join users u on u.id = a.user_id left join pictures p on p.id = u.picture_id
    order by u.username_folded, a.what`.execute(db)
  const rate = ({ what, count }: UnusualRow) => count / FROM[what]
  return rows
    .toSorted((one, other) => rate(other) - rate(one))
    .map(({ id, username, picture, what, count }) => ({
      person: { id, userName: username, imageUrl: personImage(id, picture) },
      what,
      count,
    }))
}
