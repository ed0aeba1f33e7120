/** Keeps the newest backup of each of the last days, weeks and months (grandfather-father-son). */
import { BackupError } from '#server/operate/backup/archive/format.ts'

/** Number of each period; 0 keeps none. */
export interface Retention {
  readonly days: number
  readonly weeks: number
  readonly months: number
}

const UNITS = { d: 'days', w: 'weeks', m: 'months' } as const
const MOST = 1000

/** Reads `7d,4w,12m`. @throws BackupError for anything else */
export function readRetention(text: string): Retention {
  const retention = { days: 0, weeks: 0, months: 0 }
  for (const part of text.split(',')) {
    const [, count = '', unit = ''] = /^\s*(\d{1,4})([dwm])\s*$/.exec(part) ?? []
    const isKnown = unit === 'd' || unit === 'w' || unit === 'm'
    if (!isKnown || Number(count) > MOST || retention[UNITS[unit]] > 0) throw wrong(text)
    retention[UNITS[unit]] = Number(count)
  }
  if (Object.values(retention).every((count) => count === 0)) throw wrong(text)
  return retention
}

const wrong = (text: string) =>
  new BackupError(
    `"${text}" is no rule of what to keep: name days, weeks and months, each at most once, as in 7d,4w,12m.`,
  )

const DAY_MS = 24 * 60 * 60 * 1000
/** 1970-01-05; weeks begin on Mondays. */
const FIRST_MONDAY_MS = 4 * DAY_MS

const PERIODS: Readonly<Record<keyof Retention, (at: Date) => number>> = {
  days: (at) => Math.floor(at.getTime() / DAY_MS),
  weeks: (at) => Math.floor((at.getTime() - FIRST_MONDAY_MS) / (7 * DAY_MS)),
  months: (at) => at.getUTCFullYear() * 12 + at.getUTCMonth(),
}

/**
 * Returns all but the newest of each of the last days, weeks and months (UTC) that have any. Periods without a
 * backup don't count, so a site that was off for a year loses nothing. The newest backup always stays.
 */
export function findExpired<Item extends { readonly madeAt: Date }>(
  items: readonly Item[],
  retention: Retention,
): Item[] {
  const newestFirst = items.toSorted((one, other) => other.madeAt.getTime() - one.madeAt.getTime())
  const stay = new Set<Item>(newestFirst.slice(0, 1))
  for (const unit of ['days', 'weeks', 'months'] as const) {
    const seen = new Set<number>()
    for (const item of newestFirst) {
      const period = PERIODS[unit](item.madeAt)
      if (seen.has(period)) continue
      if (seen.size === retention[unit]) break
      seen.add(period)
      stay.add(item)
    }
  }
  return items.filter((item) => !stay.has(item))
}
