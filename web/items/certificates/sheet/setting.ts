/** Chooses the text sizes of a certificate, so that even the longest one fits on a page. */
import { lengthOf } from '#contract/measure.ts'

/** Names with more letters than these are set smaller. */
const LONG_NAME = [17, 30, 44]
/** With more lessons than these, titles are set smaller. */
const MANY_LESSONS = [12, 33, 60]

/** The room for lessons in each setting of Sheet.module.css: columns, lines in each, and ems in a line. */
const ROOM = [
  { columns: 2, lines: 11, width: 15.7 },
  { columns: 3, lines: 13, width: 10.9 },
  { columns: 4, lines: 16, width: 9.2 },
  { columns: 5, lines: 21, width: 9.3 },
] as const

/** Ems available for all titles as one text, each with its number, before the smallest setting applies. */
const DENSE = 1050
const NUMBER_EM = 2

/** Capitals, and letters that are about as wide as high. */
const WIDEST = /[\p{Lu}\p{Lo}\p{Emoji_Presentation}]/u
/** Wide lower-case letters. */
const WIDE = /[mwжмшщыюф]/
/** A line loses some space to a word that wraps. */
const BREAKS = 1.25

/** Counts the bounds below a value. There is a class for each count. */
const stepOf = (value: number, bounds: readonly number[]) =>
  bounds.filter((bound) => value > bound).length

export const settingOfName = (name: string): `long-${number}` =>
  `long-${stepOf(lengthOf(name), LONG_NAME)}`

/**
 * Starts with the setting for the number of lessons and returns the first one that has room for their titles. `dense`
 * is one text without columns, `denser` fits a hundred of the widest titles.
 */
export function settingOfLessons(titles: readonly string[]): `many-${number}` | 'dense' | 'denser' {
  for (let step = stepOf(titles.length, MANY_LESSONS); step < ROOM.length; step += 1)
    if (fits(titles, step)) return `many-${step}`
  const needed = titles.reduce((sum, title) => sum + emsOf(title) + NUMBER_EM, 0)
  return needed <= DENSE ? 'dense' : 'denser'
}

function fits(titles: readonly string[], step: number): boolean {
  const room = ROOM[step]
  if (room === undefined) return false
  const heights = titles.map((title) => linesOf(emsOf(title) / room.width))
  // A title is never split between two columns.
  const lost = Math.max(...heights, 1) - 1
  const needed = heights.reduce((sum, height) => sum + height, 0)
  return needed <= room.columns * (room.lines - lost)
}

const linesOf = (share: number): number => (share <= 1 ? 1 : Math.ceil(share * BREAKS))

const emsOf = (title: string): number => [...title].reduce((sum, one) => sum + emOf(one), 0)

function emOf(letter: string): number {
  if (WIDEST.test(letter)) return 1
  return WIDE.test(letter) ? 0.85 : 0.53
}
