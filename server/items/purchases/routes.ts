import { courses } from '#contract/courses.ts'
import { lessons } from '#contract/lessons.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { createTurns } from '#server/kernel/queues/turns.ts'
import { buy } from '#server/items/purchases/purchases.ts'

/** Maximum number of one person's purchases that wait for each other. All requests have another limit. */
const PURCHASES_WAITING = 1000

export function routes(core: Core): Route[] {
  // Requests wait here rather than for the lock of a balance, because that would occupy connections.
  const inTurn = createTurns({ mostWaiting: PURCHASES_WAITING })
  return [
    route(lessons.buy, (context, { id }) => {
      // The contract also has a GET for it, whose response must not be cached.
      context.setHeader('cache-control', 'no-store')
      return inTurn(context.viewer.id, () => buy(core, 'lesson', context.viewer, id))
    }),
    route(courses.buy, (context, { id }) => {
      context.setHeader('cache-control', 'no-store')
      return inTurn(context.viewer.id, () => buy(core, 'course', context.viewer, id))
    }),
  ]
}
