import { REPORTS_A_MINUTE } from '#contract/limits.ts'
import { progress } from '#contract/progress.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { createRate } from '#server/kernel/limits/rates.ts'
import { readContinue } from '#server/items/progress/continuing.ts'
import { reportProgress } from '#server/items/progress/reporting.ts'
import { readProgress } from '#server/items/progress/store.ts'

export function routes({ db, reads, clock, config }: Core): Route[] {
  const reports = createRate(REPORTS_A_MINUTE, config)
  return [
    route(progress.report, async ({ viewer }, report) => {
      reports.count(viewer.id)
      await reportProgress({ db, clock }, viewer, report)
      return null
    }),
    route(progress.of, ({ viewer }, { lesson }) =>
      readProgress(reads.of(viewer), viewer.id, lesson),
    ),
    route(progress.continue, ({ viewer }) => readContinue(reads.of(viewer), viewer.id)),
  ]
}
