import { checks } from '#contract/checks.ts'
import { ATTEMPTS_A_MINUTE } from '#contract/limits.ts'
import { readFigures, showCheck, takeCheck } from '#server/items/checks/checks.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { createRate } from '#server/kernel/limits/rates.ts'

export function routes({ db, clock, config }: Core): Route[] {
  const rate = createRate(ATTEMPTS_A_MINUTE, config)
  const needs = { db, clock }
  return [
    route(checks.show, ({ viewer }, { lessonId }) => showCheck(needs, viewer, lessonId)),
    route(checks.take, ({ viewer }, attempt) => {
      rate.count(viewer.id)
      return takeCheck(needs, viewer, attempt)
    }),
    route(checks.figures, ({ viewer }, { lessonId }) => readFigures(needs, viewer, lessonId)),
  ]
}
