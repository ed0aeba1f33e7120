/** What administrators do about failed jobs and mails. */
import { jobRoutes } from '#server/operate/failures/jobs.ts'
import { mailRoutes } from '#server/operate/failures/mails.ts'
import type { Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'

export function routes(core: Core): Route[] {
  return [...mailRoutes(core), ...jobRoutes(core)]
}
