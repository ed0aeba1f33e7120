import { accounts } from '#contract/accounts.ts'
import { courses } from '#contract/courses.ts'
import { lessons } from '#contract/lessons.ts'
import { createBrowserSessions } from '#server/people/accounts/sessions/browser-sessions.ts'
import { createDevices } from '#server/people/accounts/sessions/devices.ts'
import { openThrottle } from '#server/people/accounts/throttle.ts'
import { openTokens } from '#server/people/accounts/sessions/tokens.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { courseRef, lessonRef } from '#server/platform/events/catalogue.ts'
import { previewCourseRemoval, removeCourse } from '#server/operate/removal/course-removal.ts'
import { eraseAccount } from '#server/operate/removal/erasure.ts'
import { previewRemoval, removeLesson } from '#server/operate/removal/removal.ts'

export function routes(core: Core): Route[] {
  const { db, clock, events, publicUrl } = core
  const tokens = openTokens(core)
  const devices = createDevices(tokens, publicUrl)
  const browsers = createBrowserSessions({ ...core, tokens, devices })
  const throttle = openThrottle(core)
  return [
    route(accounts.erase, async (context, { password }) => {
      const { viewer } = context
      await eraseAccount({ db, clock, throttle }, viewer, password)
      events.publish({ type: 'user.erased', userId: viewer.id })
      await browsers.end(context)
      devices.forget(viewer.id, context)
      return null
    }),
    route(lessons.removal, ({ viewer }, { id }) => previewRemoval(db, viewer, id)),
    route(lessons.remove, async ({ viewer }, { id, reason }) => {
      const { kbPoints, courses: left } = await removeLesson(core, viewer, { id, reason })
      const items = [lessonRef(id), ...left.map(courseRef)]
      events.publish({ type: 'items.changed', items })
      return { kbPoints }
    }),
    route(courses.removal, ({ viewer }, { id }) => previewCourseRemoval(db, viewer, id)),
    route(courses.remove, async ({ viewer }, { id, reason }) => {
      const { kbPoints, freePreview } = await removeCourse(core, viewer, { id, reason })
      // The free preview is no longer open to everybody.
      const preview = freePreview === null ? [] : [lessonRef(freePreview)]
      events.publish({ type: 'items.changed', items: [courseRef(id), ...preview] })
      return { kbPoints }
    }),
  ]
}
