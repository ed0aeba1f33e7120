/** Purchases over HTTP. */
import { courses } from '#contract/courses.ts'
import { lessons } from '#contract/lessons.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/kernel/core.ts'
import { createTurns } from '#server/kernel/queues/turns.ts'
import { buy } from '#server/purchases/purchases.ts'

/** Purchases of one person that wait for each other. How many calls somebody has under way has its own limit. */
const PURCHASES_WAITING = 1000

/** The calls of purchases. */
export function routes(core: Core): Route[] {
  // Here, and not for the lock of a balance, which would hold a connection.
  const inTurn = createTurns({ mostWaiting: PURCHASES_WAITING })
  return [
    route(lessons.buy, (context, { id }) => {
      // The contract has a GET for it too, which nothing on the way may answer.
      context.setHeader('cache-control', 'no-store')
      return inTurn(context.viewer.id, () => buy(core, 'lesson', context.viewer, id))
    }),
    route(courses.buy, (context, { id }) => {
      context.setHeader('cache-control', 'no-store')
      return inTurn(context.viewer.id, () => buy(core, 'course', context.viewer, id))
    }),
  ]
}
