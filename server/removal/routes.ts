/** Removals over HTTP. */
import { accounts } from '#contract/accounts.schemas.ts'
import { courses } from '#contract/courses.schemas.ts'
import { lessons } from '#contract/lessons.schemas.ts'
import { setSessionCookie } from '#server/accounts/sessions/cookie.ts'
import { createDevices } from '#server/accounts/sessions/devices.ts'
import { createThrottle, noThrottle } from '#server/accounts/throttle.ts'
import type { Tokens } from '#server/accounts/sessions/tokens.ts'
import type { Db } from '#server/db/connect.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'
import { previewCourseRemoval, removeCourse } from '#server/removal/course-removal.ts'
import { eraseAccount } from '#server/removal/erasure.ts'
import { previewRemoval, removeLesson } from '#server/removal/removal.ts'

export interface RemovalNeeds {
  readonly db: Db
  readonly clock: Clock
  /** Called after each removal with the tags of what it changes: `lesson:7`, `course:7`, `lists`. */
  readonly onChange: (tags: readonly string[]) => void
}

export interface ErasureRouteNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly tokens: Tokens
  readonly config: Pick<Config, 'RATE_LIMITS'>
  /** An origin. */
  readonly publicUrl: string
  /** Called when an account was erased, with what of its items is done at once. */
  readonly onErased: (userId: string) => void
}

export function erasureRoutes(needs: ErasureRouteNeeds): Route[] {
  const { db, clock, tokens, config, publicUrl, onErased } = needs
  const devices = createDevices(tokens, publicUrl)
  const throttle = config.RATE_LIMITS === 'on' ? createThrottle(db, () => clock.now()) : noThrottle
  return [
    route(accounts.erase, async (context, { password }) => {
      const { viewer } = context
      await eraseAccount({ db, clock, throttle }, viewer, password)
      onErased(viewer.id)
      setSessionCookie(context, publicUrl, null)
      devices.forget(viewer.id, context)
      return null
    }),
  ]
}

export function removalRoutes(needs: RemovalNeeds): Route[] {
  return [
    route(lessons.removal, ({ viewer }, { id }) => previewRemoval(needs.db, viewer, id)),
    route(lessons.remove, async ({ viewer }, { id, reason }) => {
      const { kbPoints, courses: left } = await removeLesson(needs, viewer, { id, reason })
      needs.onChange([`lesson:${id}`, ...left.map((course) => `course:${course}`), 'lists'])
      return { kbPoints }
    }),
    route(courses.removal, ({ viewer }, { id }) => previewCourseRemoval(needs.db, viewer, id)),
    route(courses.remove, async ({ viewer }, { id, reason }) => {
      const { kbPoints, freePreview } = await removeCourse(needs, viewer, { id, reason })
      // The lesson that was open to everybody is not any more.
      const preview = freePreview === null ? [] : [`lesson:${freePreview}`]
      needs.onChange([`course:${id}`, ...preview, 'lists'])
      return { kbPoints }
    }),
  ]
}
