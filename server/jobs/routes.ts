/** The queue for administrators. */
import { jobs } from '#contract/jobs.ts'
import type { Db } from '#server/db/connect.ts'
import { route, type Route } from '#server/kernel/call.ts'
import { notFound } from '#server/kernel/errors.ts'

export interface JobNeeds {
  readonly db: Db
}

export function jobRoutes(_needs: JobNeeds): Route[] {
  return [
    route(jobs.list, async () => {
      throw notFound()
    }),
    route(jobs.retry, async () => {
      throw notFound()
    }),
    route(jobs.drop, async () => {
      throw notFound()
    }),
  ]
}
