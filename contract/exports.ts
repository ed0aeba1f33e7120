/** Copies of one's data: as one JSON answer, or as a ZIP archive that a job makes when it is large. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Instant, Nothing } from '#contract/fields.ts'

/** Where a copy is downloaded: that of a small account is made while it is sent, under the name `now`. */
export const exportUrl = (id: string): string => `/files/exports/${id}`

export const DataExport = z.object({
  /**
   * `direct`: it is small, and made while it is downloaded. `none`: it is large, and has to be asked for. `waiting` and
   * `making`: a job has it. `failed`: it may be asked for again.
   */
  state: z.enum(['direct', 'none', 'waiting', 'making', 'ready', 'failed']),
  /** Where it is downloaded, when it can be. */
  url: z.nullable(z.string()),
  /** About how large it will be. */
  expected: z.number(),
  /** Written so far; of all of it when it is ready. */
  bytes: z.number(),
  askedAt: z.nullable(Instant),
  readyAt: z.nullable(Instant),
  /** When it is removed. */
  endsAt: z.nullable(Instant),
  /** Whether asking makes a new one. */
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
    // What is theirs is theirs, whatever they did.
    openToSuspended: true,
    input: Nothing,
    answer: DataExport,
    status: 202,
    summary:
      'Ask for that copy; a job makes it and a mail says when it is ready. One at a time: asking again changes nothing before a day has passed',
  },
})
