import { points } from '#contract/points.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { readLedger } from '#server/people/points/reading.ts'

export function routes({ db }: Core): Route[] {
  return [route(points.show, ({ viewer }, query) => readLedger(db, viewer.id, query))]
}
