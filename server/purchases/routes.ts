/** Purchases over HTTP. */
import { courses } from '#contract/courses.schemas.ts'
import { lessons } from '#contract/lessons.schemas.ts'
import type { Db } from '#server/db/connect.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { buyCourse, buyLesson } from '#server/purchases/purchases.ts'

export interface PurchaseNeeds {
  readonly db: Db
  readonly clock: Clock
}

export function purchaseRoutes(needs: PurchaseNeeds): Route[] {
  return [
    route(lessons.buy, (context, { id }) => {
      // The contract has a GET for it too, which nothing on the way may answer.
      context.setHeader('cache-control', 'no-store')
      return buyLesson(needs, context.viewer, id)
    }),
    route(courses.buy, (context, { id }) => {
      context.setHeader('cache-control', 'no-store')
      return buyCourse(needs, context.viewer, id)
    }),
  ]
}
