import { CHANGES_AT_ONCE, RETURNS_A_MINUTE } from '#contract/limits.ts'
import type { ItemKind } from '#contract/points.ts'
import { returns } from '#contract/returns.ts'
import { returnItem } from '#server/items/returns/returns.ts'
import { route, type Route } from '#server/kernel/call.ts'
import { Queue } from '#server/kernel/limits/queue.ts'
import { createRate } from '#server/kernel/limits/rates.ts'
import type { Core } from '#server/platform/core/core.ts'

export function routes(core: Core): Route[] {
  const limit = createRate(RETURNS_A_MINUTE, core.config)
  // Queues one person's requests in memory: waiting for a balance's lock would occupy a database connection.
  const queue = new Queue(CHANGES_AT_ONCE)
  const ofKind = (kind: ItemKind) =>
    route(returns[kind], ({ viewer }, { id }) => {
      limit.count(viewer.id)
      return queue.run(viewer.id, () => returnItem(core, kind, viewer, id))
    })
  return [ofKind('lesson'), ofKind('course')]
}
