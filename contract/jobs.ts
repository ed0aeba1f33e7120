/** The calls of jobs; what judges them stands in jobs.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { JobsSchemas } from '#contract/jobs.schemas.ts'

export const jobs = calls<JobsSchemas>()({
  list: { methods: ['GET'], path: '/admin/jobs', access: 'administrator', scope: 'admin' },
  retry: { methods: ['POST'], path: '/admin/jobs/retry', access: 'administrator', scope: 'admin' },
  drop: { methods: ['POST'], path: '/admin/jobs/drop', access: 'administrator', scope: 'admin' },
})
