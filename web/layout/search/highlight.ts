import { foldTerm, foldWithPlaces } from '#contract/fold.ts'
import type { Marked } from '#contract/search.ts'

/** A title with the first place of what was typed. */
export function markMatch(title: string, typed: string): Marked {
  const wanted = foldTerm(typed)
  const { folded, placeOf } = foldWithPlaces(title)
  const at = wanted === '' ? -1 : folded.indexOf(wanted)
  if (at === -1) return { text: title, places: [] }
  const { from, to } = placeOf(at, at + wanted.length)
  return { text: title, places: [[from, to]] }
}
