/** Compares articles by their word 3-grams, ignoring case, look-alikes and white space. */
import { SAME_ARTICLE } from '#contract/limits.ts'
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

/**
 * Two sorted sets that are similar enough share an element in their first `prefixLength` elements, so looking at a
 * fifth of each rules out nearly all others.
 */
export function prefixLength(size: number): number {
  // Keeps rounding errors from raising a whole number to the next one.
  return size - Math.ceil(SAME_ARTICLE * size - 1e-9) + 1
}
