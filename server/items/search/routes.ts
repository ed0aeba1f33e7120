import { search } from '#contract/search.ts'
import { home } from '#contract/home.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { find } from '#server/items/search/find.ts'
import { createMissCounter } from '#server/items/search/misses.ts'
import { suggest } from '#server/items/search/suggestions.ts'
import { createTagShelves } from '#server/items/search/tag-shelves.ts'
import { listTagged } from '#server/items/search/tagged.ts'

export function routes(core: Core): Route[] {
  const { reads } = core
  const readTagShelves = createTagShelves(core)
  const countMiss = createMissCounter(core)
  return [
    route(home.tags, ({ locale }) => readTagShelves(locale)),
    route(search.suggest, ({ viewer }, typed) => suggest(reads.of(viewer), viewer, typed)),
    route(search.tagged, ({ viewer }, query) => listTagged(reads.of(viewer), viewer, query)),
    route(search.find, async (context, query) => {
      const { answer, isMiss } = await find(reads.of(context.viewer), context.viewer, query)
      if (isMiss) await countMiss(query, context.viewer)
      return answer
    }),
  ]
}
