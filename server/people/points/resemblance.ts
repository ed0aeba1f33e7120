/** Compares articles by their word 3-grams, ignoring case, look-alikes and white space. */
import { skeleton } from '#server/kernel/text/fold.ts'

const GRAM = 3

/** Returns the distinct hashes (signed 32-bit integers) of a text's word 3-grams, sorted; at least one. */
export function shinglesOf(text: string): number[] {
  const words = skeleton(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [text]
  const grams = new Set<number>()
  for (let place = 0; place + GRAM <= Math.max(words.length, GRAM); place += 1) {
    grams.add(hashOf(words.slice(place, place + GRAM).join(' ')))
  }
  return [...grams].toSorted((a, b) => a - b)
}

/** Returns the places [start, end] of a text whose word 3-grams are also in another one's. */
export function findShared(text: string, others: readonly number[]): [number, number][] {
  const shared = new Set(others)
  const words = [...text.matchAll(/[\p{L}\p{M}\p{N}\p{Default_Ignorable_Code_Point}]+/gu)]
  const folded = words.map(([word]) => skeleton(word))
  const places: [number, number][] = []
  for (let place = 0; place + GRAM <= words.length; place += 1) {
    if (!shared.has(hashOf(folded.slice(place, place + GRAM).join(' ')))) continue
    const start = words[place]?.index ?? 0
    const last = words[place + GRAM - 1]
    const end = (last?.index ?? 0) + (last?.[0].length ?? 0)
    const before = places.at(-1)
    if (before !== undefined && start <= before[1]) before[1] = end
    else places.push([start, end])
  }
  return places
}

/** FNV-1a. */
function hashOf(text: string): number {
  // Starts as a signed number, because the column is a signed integer and for an empty text no operation would
  // convert it.
  let hash = 0x811c9dc5 | 0
  for (let place = 0; place < text.length; place += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193)
  }
  return hash
}

/** Returns the size of the intersection divided by that of the union. */
export function jaccard(one: readonly number[], other: readonly number[]): number {
  const others = new Set(other)
  const shared = one.filter((gram) => others.has(gram)).length
  return shared / (one.length + other.length - shared)
}

/** Minimum hashes of a band. */
const ROWS = 5
const BANDS = 20

/** The bits that each hash function flips, and the odd number that it multiplies by. */
const FUNCTIONS = Array.from({ length: BANDS * ROWS }, (_, place) => ({
  flip: hashOf(`flip ${place}`),
  factor: hashOf(`factor ${place}`) | 1,
}))

/**
 * Returns the hashes of the bands, by which similar articles are found. Articles of likeness s have a minimum hash in
 * common with probability s, so of likeness 0.8 they share one of 20 bands of 5 with probability
 * 1 − (1 − 0.8⁵)²⁰ = 0.9996.
 */
export function bandsOf(shingles: readonly number[]): number[] {
  const minima = FUNCTIONS.map(({ flip, factor }) => {
    let least = 0xffffffff
    for (const shingle of shingles) {
      const mixed = Math.imul(shingle ^ flip, factor)
      const hash = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 0
      if (hash < least) least = hash
    }
    return least
  })
  return Array.from({ length: BANDS }, (_, band) =>
    hashOf(`${band} ${minima.slice(band * ROWS, (band + 1) * ROWS).join(' ')}`),
  )
}
