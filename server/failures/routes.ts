/** What administrators do about failed jobs and mails. */
import { jobRoutes } from '#server/failures/jobs.ts'
import { mailRoutes } from '#server/failures/mails.ts'
import type { Route } from '#server/kernel/call.ts'
import type { Core } from '#server/kernel/core.ts'

export function routes(core: Core): Route[] {
  return [...mailRoutes(core), ...jobRoutes(core)]
}
