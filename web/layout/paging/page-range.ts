const WHOLE = 7

/**
 * Returns the first page, the last page and the current page with its neighbours; null stands for a gap. A range
 * with gaps always has seven places, so that the links stay in place while paging.
 * @param page the current page, from 1
 */
export function pageRange(page: number, pages: number): readonly (number | null)[] {
  if (pages <= WHOLE) return span(1, pages)
  if (page <= 4) return [...span(1, 5), null, pages]
  if (page >= pages - 3) return [1, null, ...span(pages - 4, pages)]
  return [1, null, ...span(page - 1, page + 1), null, pages]
}

function span(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, place) => from + place)
}
