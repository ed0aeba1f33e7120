/** A number of a page, or a gap with the number it stands after. */
export type PageStep = { readonly page: number } | { readonly gapAfter: number }

/**
 * The row of page numbers: the first, the last, the current one with one neighbour on each side, gaps between. A gap
 * never hides a single page, and the row keeps its length while one walks along it.
 */
export function pageNumbers(current: number, last: number): readonly PageStep[] {
  const SIBLINGS = 1
  // First, last, current, its neighbours, two gaps.
  const room = 2 * SIBLINGS + 5
  const range = (from: number, to: number): PageStep[] =>
    Array.from({ length: to - from + 1 }, (_, index) => ({ page: from + index }))
  if (last <= room) return range(1, last)
  const from = Math.max(current - SIBLINGS, 1)
  const until = Math.min(current + SIBLINGS, last)
  const gapBefore = from > 3
  const gapBehind = until < last - 2
  if (!gapBefore) return [...range(1, room - 2), { gapAfter: room - 2 }, { page: last }]
  if (!gapBehind) return [{ page: 1 }, { gapAfter: 1 }, ...range(last - room + 3, last)]
  return [{ page: 1 }, { gapAfter: 1 }, ...range(from, until), { gapAfter: until }, { page: last }]
}
