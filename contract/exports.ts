/**
 * Copies of a person's data, either as one JSON answer or, for large accounts, as a ZIP archive that a job makes.
 */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Instant, Nothing } from '#contract/fields.ts'

/** Path of the download. The id `now` streams the copy of a small account while it is being made. */
export const exportUrl = (id: string): string => `/files/exports/${id}`

export const DataExport = z.object({
  /**
   * `direct`: small, generated while it is downloaded. `none`: large, and must be requested. `waiting` and
   * `making`: a job is queued or running. `failed`: can be requested again.
   */
  state: z.enum(['direct', 'none', 'waiting', 'making', 'ready', 'failed']),
  /** Null while there is nothing to download. */
  url: z.nullable(z.string()),
  /** Estimated size in bytes. */
  expected: z.number(),
  /** Bytes written so far, or the total when it is ready. */
  bytes: z.number(),
  askedAt: z.nullable(Instant),
  readyAt: z.nullable(Instant),
  /** When the archive is deleted. */
  endsAt: z.nullable(Instant),
  /** True if a request would make a new one. */
  renewable: z.boolean(),
})
export type DataExport = z.infer<typeof DataExport>

export const exports = endpoints({
  json: {
    methods: ['GET'],
    path: '/identity/export',
    access: 'user',
    scope: null,
    input: Nothing,
    answer: z.unknown(),
    summary: 'All that is kept of the caller, as one JSON file to download',
  },
  show: {
    methods: ['GET'],
    path: '/identity/exports',
    access: 'user',
    scope: null,
    input: Nothing,
    answer: DataExport,
    summary: 'How the copy of the data of the caller stands: an archive with JSON, pages and files',
  },
  ask: {
    methods: ['POST'],
    path: '/identity/exports',
    access: 'user',
    scope: null,
    // Suspended people may still export their own data.
    openToSuspended: true,
    input: Nothing,
    answer: DataExport,
    status: 202,
    summary:
      'Ask for that copy; a job makes it and a mail says when it is ready. One at a time: asking again changes nothing before a day has passed',
  },
})
