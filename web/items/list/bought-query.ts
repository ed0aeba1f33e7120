import type { BoughtQuery } from '#web/core/paths.ts'
import { readQuery } from '#contract/query.ts'

/** What the address of a list of what one has bought says; nothing for what is none. */
export async function boughtQuery(url: URL): Promise<BoughtQuery> {
  const { Bought } = await import('#contract/items.schemas.ts')
  return readQuery(Bought, url.searchParams)
}
