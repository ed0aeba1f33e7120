/** Suggestions over HTTP. */
import type { Db } from '#server/db/connect.ts'
import type { Route } from '#server/kernel/call.ts'

export interface SearchNeeds {
  readonly db: Db
}

export function searchRoutes(_needs: SearchNeeds): Route[] {
  return []
}
