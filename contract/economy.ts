/** The figures that tell administrators whether points keep their worth. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import type { EntryReason } from '#contract/points.ts'
import { ProfileCard } from '#contract/profile-card.ts'

/** Days that the figures look back. */
export const ECONOMY_DAYS = 90
/** Figures about shares need at least this many people. */
export const FEWEST_PEOPLE = 10

/**
 * Reasons of entries that make points, or take back what was made; those of all other entries spend points, or take
 * that back. So creating and deleting, or buying and returning, adds up to nothing.
 */
export const MAKES: ReadonlySet<string> = new Set<EntryReason>([
  'welcome',
  'created',
  'captioned',
  'rewardWithdrawn',
  'deletedByAdministrator',
  'corrected',
])

/** Sums by reason. Codes that no longer exist may occur. */
const ByReason = z.record(z.string(), z.number())

export const EconomyDay = z.object({
  /** UTC, `YYYY-MM-DD`. */
  day: z.string(),
  /** Points and debts of all people at the end of the day. */
  supply: z.number(),
  debt: z.number(),
  /**
   * Points made and spent by reason. What was taken back is negative, and so is what people spent but only owe
   * (`owed`): the supply changes by what was made less what was spent.
   */
  made: ByReason,
  spent: ByReason,
  /** Number of rewards that were granted, and withheld by reason. */
  rewarded: z.number(),
  withheld: ByReason,
  unlocks: z.number(),
  newcomers: z.number(),
  /** People who joined seven days before, and those of them who have unlocked something since. */
  joinedWeekAgo: z.number(),
  unlockedInWeek: z.number(),
  /** Median of the people whose first unlock was in the last 90 days. Null without any. */
  daysToUnlock: z.nullable(z.number()),
  /** Gini coefficient of the points, and the part that the richest hundredth has. Null for fewer than ten people. */
  gini: z.nullable(z.number()),
  topShare: z.nullable(z.number()),
  /** Accounts at the end of the day. Null on days that an older version counted, like the next three. */
  people: z.nullable(z.number()),
  lessons: z.nullable(z.number()),
  messages: z.nullable(z.number()),
  /** Sent. */
  mails: z.nullable(z.number()),
  /** Null on days that were counted more than a day late. */
  activePeople: z.nullable(z.number()),
  failedJobs: z.nullable(z.number()),
})
export type EconomyDay = z.infer<typeof EconomyDay>

export const FIGURES = [
  'newcomers',
  'daysToUnlock',
  'spentOfMade',
  'withheld',
  'gini',
  'topShare',
] as const
export type FigureName = (typeof FIGURES)[number]

/** The healthy range of each figure, bounds included. A bound that is missing has no limit. */
export const HEALTHY: Readonly<
  Record<FigureName, { readonly min?: number; readonly max?: number }>
> = {
  newcomers: { min: 0.6 },
  daysToUnlock: { max: 7 },
  spentOfMade: { min: 0.6, max: 1.1 },
  withheld: { max: 0.1 },
  gini: { max: 0.8 },
  topShare: { max: 0.25 },
}

export const Figure = z.object({
  name: z.enum(FIGURES),
  /** Null if there is too little to count. */
  value: z.nullable(z.number()),
  state: z.enum(['healthy', 'low', 'high', 'unknown']),
})
export type Figure = z.infer<typeof Figure>

/** Reasons why an account stands out in the last 30 days. */
const UNUSUAL = ['withheld', 'takenBack', 'mutual', 'stars', 'earner'] as const

export const UnusualAccount = z.object({
  person: ProfileCard,
  what: z.enum(UNUSUAL),
  /** Times, people, or points, depending on `what`. */
  count: z.number(),
})
export type UnusualAccount = z.infer<typeof UnusualAccount>

export const Economy = z.object({
  figures: z.array(Figure),
  /** Up to 90 days, newest last. */
  days: z.array(EconomyDay),
  unusual: z.array(UnusualAccount),
})
export type Economy = z.infer<typeof Economy>

export const economy = endpoints({
  show: {
    methods: ['GET'],
    path: '/admin/economy',
    access: 'administrator',
    scope: 'admin',
    input: z.object({}),
    answer: Economy,
    summary: 'Whether points keep their worth: daily figures with their healthy ranges',
  },
})

/** Returns the figures of these days, the newest of which is the last. */
export function readFigures(days: readonly EconomyDay[]): Figure[] {
  const sum = (read: (day: EconomyDay) => number) =>
    days.reduce((total, day) => total + read(day), 0)
  const made = sum((day) => total(day.made))
  const joined = sum((day) => day.joinedWeekAgo)
  const withheld = sum((day) => total(day.withheld))
  const judged = withheld + sum((day) => day.rewarded)
  const last = days.at(-1)
  const values: Readonly<Record<FigureName, number | null>> = {
    newcomers: joined < FEWEST_PEOPLE ? null : sum((day) => day.unlockedInWeek) / joined,
    daysToUnlock: last?.daysToUnlock ?? null,
    spentOfMade: made <= 0 ? null : sum((day) => total(day.spent)) / made,
    withheld: judged === 0 ? null : withheld / judged,
    gini: last?.gini ?? null,
    topShare: last?.topShare ?? null,
  }
  return FIGURES.map((name) => ({ name, value: values[name], state: judge(name, values[name]) }))
}

function judge(name: FigureName, value: number | null): Figure['state'] {
  const { min = -Infinity, max = Infinity } = HEALTHY[name]
  if (value === null) return 'unknown'
  if (value < min) return 'low'
  return value > max ? 'high' : 'healthy'
}

/** Sums what is grouped by reason. */
export function total(byReason: Readonly<Record<string, number>>): number {
  return Object.values(byReason).reduce((sum, amount) => sum + amount, 0)
}

/** Sums a part of all days by reason, the largest first. */
export function sumByReason(
  days: readonly EconomyDay[],
  part: 'made' | 'spent' | 'withheld',
): [reason: string, sum: number][] {
  const sums = new Map<string, number>()
  for (const [reason, amount] of days.flatMap((day) => Object.entries(day[part])))
    sums.set(reason, (sums.get(reason) ?? 0) + amount)
  return [...sums].toSorted(([, one], [, other]) => Math.abs(other) - Math.abs(one))
}
