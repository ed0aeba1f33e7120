/** The queue of jobs, for administrators. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Ids, Instant, Page } from '#contract/fields.ts'

export const JobCount = z.object({
  /** The job's name, a code. */
  name: z.string(),
  /** To be run now, to be run later (a retry too), running, given up. */
  ready: z.number(),
  later: z.number(),
  running: z.number(),
  failed: z.number(),
})
export type JobCount = z.infer<typeof JobCount>

export const FailedJob = z.object({
  id: z.number(),
  name: z.string(),
  /** Ids only; jobs carry nothing secret. */
  payload: z.string(),
  attempts: z.number(),
  maxAttempts: z.number(),
  lastError: z.nullable(z.string()),
  created: Instant,
  /** When it was tried last. */
  date: Instant,
  /** It is being tried at this moment. */
  running: z.boolean(),
  /** When it is tried again; null: it was given up, or this attempt is its last. */
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
      /** Those that failed at least once and are not done, given up first, 50 a page. */
      failed: z.array(FailedJob),
      /** Seconds that the oldest ready job has been waiting. */
      waiting: z.number(),
      /** Processes that work on the queue now. */
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
