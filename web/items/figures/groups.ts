/** Groups the days of the figures, so that a chart and its table have at most about thirty entries. */
import { SUMS, type FigureDay, type FigureRange, type Sums } from '#contract/figures.ts'

export type GroupUnit = 'day' | 'week' | 'month'

export interface Group extends Sums {
  /** Its first day, `YYYY-MM-DD`. */
  readonly from: string
}

export const UNITS: Readonly<Record<FigureRange, GroupUnit>> = {
  '7': 'day',
  '30': 'day',
  '90': 'week',
  '365': 'month',
}

const DAY_MS = 24 * 60 * 60 * 1000
const WEEK_DAYS = 7

/** Days without a row count as zero. The newest week is whole; the first and the last month may not be. */
export function toGroups(
  rows: readonly FigureDay[],
  { from, to, unit }: { readonly from: string; readonly to: string; readonly unit: GroupUnit },
): Group[] {
  const byDay = new Map(rows.map((row) => [row.day, row]))
  const [start, end] = [Date.parse(from), Date.parse(to)]
  const groups = new Map<string, { from: string } & { [Name in keyof Sums]: number }>()
  for (let time = start; time <= end; time += DAY_MS) {
    const day = new Date(time).toISOString().slice(0, 10)
    const weeksBack = Math.floor((end - time) / DAY_MS / WEEK_DAYS)
    const key = unit === 'day' ? day : unit === 'week' ? String(weeksBack) : day.slice(0, 7)
    const group = groups.get(key) ?? { from: day, ...NOTHING }
    const row = byDay.get(day)
    if (row !== undefined) for (const name of SUMS) group[name] += row[name]
    groups.set(key, group)
  }
  return [...groups.values()]
}

const NOTHING = Object.fromEntries(SUMS.map((name) => [name, 0])) as Sums

/** Null without views. Views and unlocks of one visitor may be on different days. */
export const conversionOf = ({ views, converted }: Pick<Sums, 'views' | 'converted'>) =>
  views === 0 ? null : Math.min(1, converted / views)

/** To one decimal. Null without ratings. */
export const starsOf = ({ ratings, stars }: Pick<Sums, 'ratings' | 'stars'>) =>
  ratings === 0 ? null : Math.round((stars / ratings) * 10) / 10
