/** The queue for administrators. */
import { jobs } from '#contract/jobs.schemas.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { countJobs, dropJobs, findFailedJobs, rescheduleJobs } from '#server/jobs/store.ts'
import { route, type Route, type Viewer } from '#server/kernel/call.ts'

export interface JobRouteNeeds {
  readonly db: Db
  /** Writes down what an administrator did, in its transaction. */
  readonly onAct: (
    tx: Tx,
    viewer: Viewer,
    action: 'jobsRetried' | 'jobsDropped',
    subject: string,
  ) => Promise<void>
}

export function jobRoutes({ db, onAct }: JobRouteNeeds): Route[] {
  /** Those that are gone or well by now are left out without a word: a list of failures is old when it is seen. */
  const act = async (
    viewer: Viewer,
    action: 'jobsRetried' | 'jobsDropped',
    verb: (tx: Tx) => Promise<string[]>,
  ): Promise<null> => {
    await db.transaction().execute(async (tx) => {
      const names = await verb(tx)
      if (names.length > 0) await onAct(tx, viewer, action, names.join(', '))
    })
    return null
  }
  return [
    route(jobs.list, async (_context, { page = 1 }) => {
      const [numbers, failed] = await Promise.all([countJobs(db), findFailedJobs(db, page)])
      return { ...numbers, failed }
    }),
    route(jobs.retry, ({ viewer }, { ids }) =>
      act(viewer, 'jobsRetried', (tx) => rescheduleJobs(tx, ids)),
    ),
    route(jobs.drop, ({ viewer }, { ids }) =>
      act(viewer, 'jobsDropped', (tx) => dropJobs(tx, ids)),
    ),
  ]
}
