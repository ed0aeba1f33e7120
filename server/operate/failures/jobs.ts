import { jobs } from '#contract/jobs.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import {
  countJobs,
  dropJobs,
  findFailedJobs,
  rescheduleJobs,
  waitForRunning,
} from '#server/platform/jobs/store.ts'
import { route, type Route, type Viewer } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { logAct } from '#server/people/moderation/log.ts'

export function jobRoutes({ db, clock }: Core): Route[] {
  /** Skips jobs that are gone or have succeeded, because a list of failures is outdated when somebody sees it. */
  const act = async (
    viewer: Viewer,
    action: 'jobsRetried' | 'jobsDropped',
    ids: readonly number[],
    verb: (tx: Tx) => Promise<string[]>,
  ): Promise<null> => {
    await waitForRunning(db, ids)
    await db.transaction().execute(async (tx) => {
      const names = await verb(tx)
      if (names.length === 0) return
      const subject = names.join(', ')
      await logAct(tx, { actorId: viewer.id, action, subject, at: clock.now() })
    })
    return null
  }
  return [
    route(jobs.list, async (_context, { page = 1 }) => {
      const [numbers, failed] = await Promise.all([countJobs(db), findFailedJobs(db, page)])
      return { ...numbers, failed }
    }),
    route(jobs.retry, ({ viewer }, { ids }) =>
      act(viewer, 'jobsRetried', ids, (tx) => rescheduleJobs(tx, ids)),
    ),
    route(jobs.drop, ({ viewer }, { ids }) =>
      act(viewer, 'jobsDropped', ids, (tx) => dropJobs(tx, ids)),
    ),
  ]
}
