import { readQuery } from '#contract/query.ts'

/** The number in a list's address; 1 without one, and for what is none. */
export async function pageNumber(url: URL): Promise<number> {
  const { Paged } = await import('#contract/items.schemas.ts')
  return readQuery(Paged, url.searchParams).page ?? 1
}
