import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Instant } from '#contract/fields.ts'

export const BackupRun = z.object({
  began: Instant,
  /** Null while the backup is in progress. */
  ended: z.nullable(Instant),
  /** True for the daily job, false for a command. */
  daily: z.boolean(),
  /** A folder or a bucket (without keys), and the archive's name in it. */
  place: z.string(),
  name: z.string(),
  /** Null while there is no archive. */
  bytes: z.nullable(z.number()),
  /** Why the backup failed, in English. */
  error: z.nullable(z.string()),
})
export type BackupRun = z.infer<typeof BackupRun>

export const backups = endpoints({
  last: {
    methods: ['GET'],
    path: '/admin/backups',
    access: 'administrator',
    scope: 'admin',
    input: z.object({}),
    answer: z.object({
      underWay: z.nullable(BackupRun),
      /** The last backup that ended, and the last that succeeded. */
      last: z.nullable(BackupRun),
      good: z.nullable(BackupRun),
      /** The last hundred, newest first, including the one in progress. */
      runs: z.array(BackupRun),
      daily: z.boolean(),
    }),
    summary: 'When the last backups were made, how big they are, and what went wrong',
  },
})
