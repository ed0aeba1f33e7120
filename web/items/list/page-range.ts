/** Which page numbers a pager shows. */

/** Longer rows have gaps. */
const WHOLE = 7

/**
 * The first and the last page, and the current one between its neighbours; null stands for a gap. A row with gaps has
 * always seven places, so that the links stay where they are while one turns the pages.
 *
 * @param page the current one, from 1
 * @param pages how many there are
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
