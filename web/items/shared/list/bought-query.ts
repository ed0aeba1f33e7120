import { Bought } from '#contract/items.ts'
import { readQuery } from '#contract/query.ts'
import type { BoughtQuery } from '#web/core/paths.ts'

/** Reads the address of a list of bought items; invalid values are ignored. */
export function boughtQuery(url: URL): BoughtQuery {
  return readQuery(Bought, url.searchParams)
}
