import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Ids, Instant, Page } from '#contract/fields.ts'

export const JobCount = z.object({
  /** A code. */
  name: z.string(),
  /** Jobs due now, scheduled for later (including retries), running, and given up. */
  ready: z.number(),
  later: z.number(),
  running: z.number(),
  failed: z.number(),
})
export type JobCount = z.infer<typeof JobCount>

export const FailedJob = z.object({
  id: z.number(),
  name: z.string(),
  /** Contains only ids, no secrets. */
  payload: z.string(),
  attempts: z.number(),
  maxAttempts: z.number(),
  lastError: z.nullable(z.string()),
  created: Instant,
  /** Time of the last attempt. */
  date: Instant,
  /** True during an attempt. */
  running: z.boolean(),
  /** Time of the next attempt. Null if the job was given up, or the current attempt is its last. */
  next: z.nullable(Instant),
})
export type FailedJob = z.infer<typeof FailedJob>

export const jobs = endpoints({
  list: {
    methods: ['GET'],
    path: '/admin/jobs',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ page: z.optional(Page) }),
    answer: z.object({
      counts: z.array(JobCount),
      /** Unfinished jobs that failed at least once, given up first, 50 per page. */
      failed: z.array(FailedJob),
      /** Age of the oldest ready job in seconds. */
      waiting: z.number(),
      /** Processes that currently work on the queue. */
      workers: z.number(),
    }),
    summary: "The queue's state, and jobs that failed",
  },
  retry: {
    methods: ['POST'],
    path: '/admin/jobs/retry',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ ids: Ids }),
    answer: null,
    summary: 'Run failed jobs now',
  },
  drop: {
    methods: ['POST'],
    path: '/admin/jobs/drop',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ ids: Ids }),
    answer: null,
    summary: 'Take failed jobs out of the queue',
  },
})
