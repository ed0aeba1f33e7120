import { total, type EconomyDay } from '#contract/economy.ts'

const DAYS = 7

/** Sums a number over days. */
export function sumOf(days: readonly EconomyDay[], read: (day: EconomyDay) => number): number {
  return days.reduce((sum, day) => sum + read(day), 0)
}

export interface Week {
  /** UTC days, `YYYY-MM-DD`. */
  readonly from: string
  readonly to: string
  readonly made: number
  readonly spent: number
  readonly unlocks: number
  readonly newcomers: number
}

/** Groups days by sevens, so that the newest week is whole. The oldest may have fewer days. */
export function toWeeks(days: readonly EconomyDay[]): Week[] {
  const short = days.length % DAYS
  const starts = days.flatMap((_, place) => (place % DAYS === short % DAYS ? [place] : []))
  if (short > 0) starts.unshift(0)
  return starts.map((start, place) => {
    const week = days.slice(start, starts[place + 1] ?? days.length)
    return {
      from: week[0]?.day ?? '',
      to: week.at(-1)?.day ?? '',
      made: sumOf(week, ({ made }) => total(made)),
      spent: sumOf(week, ({ spent }) => total(spent)),
      unlocks: sumOf(week, ({ unlocks }) => unlocks),
      newcomers: sumOf(week, ({ newcomers }) => newcomers),
    }
  })
}
