/** Suggestions and the search over HTTP. */
import { search } from '#contract/search.schemas.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/kernel/core.ts'
import { find } from '#server/search/find.ts'
import { suggestTitles } from '#server/search/suggest.ts'

/** The calls of suggestions and of the search. */
export function routes({ reads }: Core): Route[] {
  return [
    route(search.suggest, ({ viewer }, { kind, q }) => suggestTitles(reads.of(viewer), kind, q)),
    route(search.find, ({ viewer }, query) => find(reads.of(viewer), viewer, query)),
  ]
}
