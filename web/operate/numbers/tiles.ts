/** The numbers of the desk's first page, from the counted days. */
import { total, type EconomyDay } from '#contract/economy.ts'
import type { MessageKey } from '#contract/messages/messages.ts'

/** Days that are shown, and compared with as many before them. */
export const PERIOD = 30

export interface Tile {
  readonly name: MessageKey
  /** Null if no day of the period was counted. */
  readonly value: number | null
  /** The change since the period before, as a part of its value. Null if there is nothing to compare. */
  readonly change: number | null
  /** The values of the days, oldest first, without days that were not counted. */
  readonly line: readonly number[]
}

type Read = (day: EconomyDay) => number | null
type Summary = (values: readonly number[]) => number

const sum: Summary = (values) => values.reduce((all, value) => all + value, 0)
const average: Summary = (values) => Math.round(sum(values) / values.length)
const last: Summary = (values) => values.at(-1) ?? 0

const TILES: readonly (readonly [name: MessageKey, read: Read, summary: Summary])[] = [
  ['deskPeople', ({ people }) => people, last],
  ['numbersActive', ({ activePeople }) => activePeople, average],
  ['numbersLessons', ({ lessons }) => lessons, sum],
  ['economyUnlocks', ({ unlocks }) => unlocks, sum],
  ['numbersMade', ({ made }) => total(made), sum],
  ['numbersSpent', ({ spent }) => total(spent), sum],
  ['chatMessages', ({ messages }) => messages, sum],
  ['numbersMails', ({ mails }) => mails, sum],
  ['jobsFailed', ({ failedJobs }) => failedJobs, sum],
]

/** Days are sorted, the newest last. */
export function readTiles(days: readonly EconomyDay[]): Tile[] {
  return TILES.map(([name, read, summary]) => {
    const valuesOf = (part: readonly EconomyDay[]) =>
      part.map(read).filter((value) => value !== null)
    const line = valuesOf(days.slice(-PERIOD))
    const before = valuesOf(days.slice(-2 * PERIOD, -PERIOD))
    const value = line.length === 0 ? null : summary(line)
    // A shorter period before would make every sum look like growth.
    const past = before.length < PERIOD ? null : summary(before)
    const change = value === null || past === null || past <= 0 ? null : (value - past) / past
    return { name, value, change, line }
  })
}
