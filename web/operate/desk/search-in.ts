import { Search } from '#contract/items.ts'

/** Returns the search in an address; '' for one that is too long. */
export function searchIn(url: URL): string {
  return Search.safeParse(url.searchParams.get('search') ?? '').data ?? ''
}
