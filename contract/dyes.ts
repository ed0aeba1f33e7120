/** Computes the colour and the size of an item's book. The drawings are in art.ts. */

import { pick, randomFrom } from '#contract/random.ts'

/** The id of a lesson or a person. */
export type Seed = string | number

type Dye = readonly [cloth: string, pale: string, print: string, second: string]

/**
 * No colour is yellow, because saffron is reserved for points. White text has a contrast of at least 5:1 on each.
 */
export const dyes: readonly Dye[] = [
  ['#8e2433', '#f3ded4', '#a8323f', '#27395c'],
  ['#1f3358', '#dfe6ec', '#2b4a80', '#bb4f43'],
  ['#1e5b53', '#dcebe2', '#2f7c6f', '#123a35'],
  ['#4c5a23', '#e9ebd5', '#6f7f34', '#8e2433'],
  ['#43302a', '#eadfd3', '#7a5544', '#2b1d18'],
  ['#4d2440', '#efdfe6', '#7f426b', '#c96f6f'],
  ['#a94f62', '#f8e4e2', '#cf7f88', '#7c2c3e'],
  ['#3f6a87', '#e3edf1', '#6f9bb4', '#1f3f57'],
  ['#9c4427', '#f5e3d6', '#c2673d', '#3f2a4f'],
  ['#25292e', '#e6e6e1', '#40464e', '#a8323f'],
  ['#587560', '#ecf2ea', '#86a38d', '#2f4a3a'],
  ['#0f4f66', '#d8e9eb', '#1f7390', '#d0694f'],
  ['#6b3d1c', '#f1e4d2', '#9a6233', '#1f3358'],
  ['#2c4a22', '#e4ecd9', '#4f7a3a', '#a3243a'],
  ['#6e2f55', '#f4e1ea', '#a25583', '#2b2a4f'],
  ['#36506f', '#e2e8f0', '#5f7fa6', '#9c4427'],
  ['#5c5148', '#efebe3', '#8a7d70', '#1e5b53'],
  ['#8a3b4f', '#f7e5e1', '#b5606b', '#36506f'],
]

/** A seed must give the same colour on every page and server. */
export const dyeOf = (seed: Seed): Dye => pick(randomFrom(`dye${seed}`), dyes)

/**
 * The index of the spine's colour for the classes `cloth-0` to `cloth-17`, because the page's policy forbids style
 * attributes.
 */
export const clothIndex = (seed: Seed): number => dyes.indexOf(dyeOf(seed))

/** Size of a spine on the shelf, in steps that each have a class: `tall-h`, `thick-w`, `type-t`. */
export interface SpineSteps {
  /** In steps of 8 px, 19 to 58. */
  readonly height: number
  /** In px, even, 30 to 46. */
  readonly width: number
  /** Font size in steps of 0.1 rem, 9 to 16. */
  readonly type: number
}

/** Includes the Bulgarian letterforms, whose т is as wide as an m. */
const WIDE = /[mwMWжмтфшщюЖМФЦШЩЮ]/g

/** Enough for real titles. A title of twenty W is cut off, so that no spine towers over the shelf. */
const TALL_ENOUGH = 34

/** A spine is at least as tall as its title. `rise`, 0 to 1, adds height depending on its place in the row. */
export function spineSteps(seed: Seed, title: string, rise = 0): SpineSteps {
  const random = randomFrom(`spine${seed}`)
  const width = pick(random, [30, 32, 34, 36, 38, 40, 42, 46])
  // A letter takes about half of its height along the spine, a wide one all of it. 48 px are the rules at both
  // ends.
  const longest = title.length + 0.8 * (title.match(WIDE)?.length ?? 0)
  const shortest = Math.min(TALL_ENOUGH, Math.ceil((longest * 0.56 * 14.4 + 48) / 8))
  const wanted = Math.round(19 + random() * 9 + rise * 30 + random() * 2 * rise)
  const height = Math.min(58, Math.max(wanted, shortest))
  const fits = (height * 8 - 48) / (longest * 0.56 * 16)
  const type = Math.floor(Math.max(0.9, Math.min(fits, width * 0.0375, 1.6)) * 10 + 1e-9)
  return { height, width, type }
}
