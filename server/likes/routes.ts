/** Likes over HTTP. */
import type { Db } from '#server/db/connect.ts'
import type { Route } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'

export interface LikeNeeds {
  readonly db: Db
  readonly clock: Clock
  /** Called after each write with the tags of what it changes: `course:7`, `lesson:7`, `lists`. */
  readonly onChange: (tags: readonly string[]) => void
}

export function likeRoutes(_needs: LikeNeeds): Route[] {
  return []
}
