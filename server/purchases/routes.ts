/** Purchases over HTTP. */
import { courses } from '#contract/courses.ts'
import { lessons } from '#contract/lessons.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/kernel/core.ts'
import { createBuyer } from '#server/purchases/purchases.ts'

/** The calls of purchases. */
export function routes(core: Core): Route[] {
  const buyLesson = createBuyer(core, 'lesson')
  const buyCourse = createBuyer(core, 'course')
  return [
    route(lessons.buy, (context, { id }) => {
      // The contract has a GET for it too, which nothing on the way may answer.
      context.setHeader('cache-control', 'no-store')
      return buyLesson(context.viewer, id)
    }),
    route(courses.buy, (context, { id }) => {
      context.setHeader('cache-control', 'no-store')
      return buyCourse(context.viewer, id)
    }),
  ]
}
