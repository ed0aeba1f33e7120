/** How large the words of a certificate are set, so that the longest stay on one sheet of paper. */
import { lengthOf } from '#contract/measure.ts'

/** Letters of a name from which on it is set smaller. */
const LONG_NAME = [17, 30, 44]
/** Lessons from which on their titles are set smaller. */
const MANY_LESSONS = [12, 33, 60]

/** What the sheet has room for in each setting of the lessons, by Sheet.module.css: columns, their lines, and ems a line. */
const ROOM = [
  { columns: 2, lines: 11, width: 15.7 },
  { columns: 3, lines: 13, width: 10.9 },
  { columns: 4, lines: 16, width: 9.2 },
  { columns: 5, lines: 21, width: 9.3 },
] as const

/** Ems that one text of all titles has room for, each with its number, before it is set smaller still. */
const DENSE = 1050
const NUMBER_EM = 2

/** Capitals, and letters of scripts that are as wide as high. */
const WIDEST = /[\p{Lu}\p{Lo}\p{Emoji_Presentation}]/u
/** Of the small ones those that are nearly so. */
const WIDE = /[mwжмшщыюф]/
/** What a line loses at its end to a word that does not fit. */
const BREAKS = 1.25

/** How many of the bounds a number is above: the class has a size for each. */
const stepOf = (value: number, bounds: readonly number[]) =>
  bounds.filter((bound) => value > bound).length

/** The setting of a name. */
export const settingOfName = (name: string): `long-${number}` =>
  `long-${stepOf(lengthOf(name), LONG_NAME)}`

/**
 * The setting of a list of lessons: the first setting from that for their number on which has room for their titles.
 * In `dense` they follow each other in one text; `denser` has room for a hundred of the widest.
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
  // No title is divided between two columns.
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
