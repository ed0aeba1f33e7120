/** Suggestions over HTTP. */
import { search } from '#contract/search.schemas.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/kernel/core.ts'
import { suggestTitles } from '#server/search/suggest.ts'

/** The calls of suggestions. */
export function routes({ reads }: Core): Route[] {
  return [
    route(search.suggest, ({ viewer }, { kind, q }) => suggestTitles(reads.of(viewer), kind, q)),
  ]
}
