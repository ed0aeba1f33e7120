/** Suggestions over HTTP. */
import { search } from '#contract/search.schemas.ts'
import type { Db } from '#server/db/connect.ts'
import { route, type Route } from '#server/kernel/call.ts'
import { suggestTitles } from '#server/search/suggest.ts'

export interface SearchNeeds {
  readonly db: Db
}

export function searchRoutes({ db }: SearchNeeds): Route[] {
  return [route(search.suggest, (_, { kind, q }) => suggestTitles(db, kind, q))]
}
