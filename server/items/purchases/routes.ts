import { courses } from '#contract/courses.ts'
import { CHANGES_AT_ONCE } from '#contract/limits.ts'
import { lessons } from '#contract/lessons.ts'
import { trust } from '#contract/trust.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { Queue } from '#server/kernel/limits/queue.ts'
import { buy } from '#server/items/purchases/purchases.ts'
import { unlockOnTrust } from '#server/items/purchases/trust.ts'

export function routes(core: Core): Route[] {
  // Queues one person's requests in memory: waiting for a balance's lock would occupy a database connection.
  const queue = new Queue(CHANGES_AT_ONCE)
  return [
    route(lessons.buy, (context, { id }) => {
      // Old clients buy with GET; its response must not be cached.
      context.setHeader('cache-control', 'no-store')
      return queue.run(context.viewer.id, () => buy(core, 'lesson', context.viewer, id))
    }),
    route(trust.unlock, ({ viewer }, { id }) =>
      queue.run(viewer.id, () => unlockOnTrust(core, viewer, id)),
    ),
    route(courses.buy, (context, { id }) => {
      context.setHeader('cache-control', 'no-store')
      return queue.run(context.viewer.id, () => buy(core, 'course', context.viewer, id))
    }),
  ]
}
