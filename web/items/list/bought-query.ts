import { Bought } from '#contract/items.ts'
import { readQuery } from '#contract/query.ts'
import type { BoughtQuery } from '#web/core/paths.ts'

/** What the address of a list of what one has bought says; nothing for what is none. */
export function boughtQuery(url: URL): BoughtQuery {
  return readQuery(Bought, url.searchParams)
}
