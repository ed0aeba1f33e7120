import type { Marked } from '#contract/search.schemas.ts'

/** Without case and accents, as the search compares: one sign of the title may become several or none. */
const fold = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase().toLowerCase()

/** A title with the first place of what was typed. */
export function markMatch(title: string, typed: string): Marked {
  const wanted = fold(typed.trim())
  const signs = Array.from(title)
  const folded = signs.map(fold)
  const at = wanted === '' ? -1 : folded.join('').indexOf(wanted)
  if (at === -1) return { text: title, places: [] }
  const from = signAt(folded, at)
  // Signs that fold to nothing (an accent of its own) belong to the letter before them.
  let to = signAt(folded, at + wanted.length - 1) + 1
  while (to < signs.length && folded[to] === '') to += 1
  const unitsTo = (end: number) => signs.slice(0, end).join('').length
  return { text: title, places: [[unitsTo(from), unitsTo(to)]] }
}

/** The sign whose folded form covers a place of the folded text. */
function signAt(folded: readonly string[], place: number): number {
  let end = 0
  return folded.findIndex((form) => (end += form.length) > place)
}
