import { foldTerm, foldWithPlaces } from '#contract/fold.ts'
import type { Marked } from '#contract/search.ts'

/** Marks the first match of the typed text. */
export function markMatch(title: string, typed: string): Marked {
  const wanted = foldTerm(typed)
  const { folded, placeOf } = foldWithPlaces(title)
  const at = wanted === '' ? -1 : folded.indexOf(wanted)
  if (at === -1) return { text: title, places: [] }
  const { from, to } = placeOf(at, at + wanted.length)
  return { text: title, places: [[from, to]] }
}
