import { Paged } from '#contract/items.ts'
import { readQuery } from '#contract/query.ts'

/** Returns the page number of a list's address; 1 without a valid one. */
export function pageNumber(url: URL): number {
  return readQuery(Paged, url.searchParams).page ?? 1
}
