/** Courses over HTTP: cards, details, create, edit. */
import type { Db } from '#server/db/connect.ts'
import type { StorePicture } from '#server/files/pictures.ts'
import type { Route } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'

export interface CourseNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly storePicture: StorePicture
  /** Called after each write with the tags of what it changes: `course:7`, `lists`. */
  readonly onChange: (tags: readonly string[]) => void
}

export interface CourseRoutes {
  readonly routes: Route[]
  /** To be called when other folders' writes change lists: numbers that are kept for a minute are counted anew. */
  readonly forgetNumbers: () => void
}

export function courseRoutes(_needs: CourseNeeds): CourseRoutes {
  return { routes: [], forgetNumbers: () => {} }
}
