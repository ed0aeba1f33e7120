/** The backups that were made, for administrators. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Instant } from '#contract/fields.ts'

export const BackupRun = z.object({
  began: Instant,
  /** Null while it is under way. */
  ended: z.nullable(Instant),
  /** Made by the daily job; else by a command. */
  daily: z.boolean(),
  /** A folder or a bucket, without keys, and what the archive is called there. */
  place: z.string(),
  name: z.string(),
  /** Size of the archive; null while there is none. */
  bytes: z.nullable(z.number()),
  /** Why there is none, in English. */
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
      /** The last one that ended, and the last that ended well. */
      last: z.nullable(BackupRun),
      good: z.nullable(BackupRun),
      /** The last hundred, the newest first, with the one under way. */
      runs: z.array(BackupRun),
      /** Whether one is made every day. */
      daily: z.boolean(),
    }),
    summary: 'When the last backups were made, how big they are, and what went wrong',
  },
})
