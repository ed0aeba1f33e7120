/** When two articles count as the same: by their word 3-grams, compared without case, look and white space. */
import { SAME_ARTICLE } from '#contract/limits.ts'
import { skeleton } from '#server/kernel/text/fold.ts'

const GRAM = 3

/** Hashes (signed, 32 bits) of the word 3-grams of a plain text: sorted, each once, at least one. */
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
  // Signed from the start: the column is a signed integer, and an empty text has no step that would make it one.
  let hash = 0x811c9dc5 | 0
  for (let place = 0; place < text.length; place += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193)
  }
  return hash
}

/** Shared ones of all ones; both sorted. */
export function jaccard(one: readonly number[], other: readonly number[]): number {
  const others = new Set(other)
  const shared = one.filter((gram) => others.has(gram)).length
  return shared / (one.length + other.length - shared)
}

/**
 * Two sorted sets that resemble each other enough share an element within the first so many of each; so nearly
 * all that don't are ruled out by looking at a fifth of them.
 */
export function prefixLength(size: number): number {
  // A product that is a hair above a whole number must not be rounded up.
  return size - Math.ceil(SAME_ARTICLE * size - 1e-9) + 1
}
