import { Paged } from '#contract/items.ts'
import { readQuery } from '#contract/query.ts'

/** The number in a list's address; 1 without one, and for what is none. */
export function pageNumber(url: URL): number {
  return readQuery(Paged, url.searchParams).page ?? 1
}
