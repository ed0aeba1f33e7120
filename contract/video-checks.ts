/** Lessons whose videos can't be played, for administrators. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Instant, Page } from '#contract/fields.ts'
import { ById } from '#contract/items.ts'
import { ProfileCard } from '#contract/profile-card.ts'

export const MissingVideo = z.object({
  lesson: z.object({ id: z.number(), title: z.string() }),
  owner: ProfileCard,
  /** A link to the video. */
  video: z.string(),
  /** The first of the checks that found it gone. */
  failed: Instant,
  /** Since when the lesson is marked. Null before the second check, and while too many are gone at once. */
  gone: z.nullable(Instant),
  /** The next check. */
  next: Instant,
})
export type MissingVideo = z.infer<typeof MissingVideo>

export const videoChecks = endpoints({
  list: {
    methods: ['GET'],
    path: '/admin/videos',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ page: z.optional(Page) }),
    answer: z.object({
      videos: z.array(MissingVideo),
      /** False if no videos are checked. */
      on: z.boolean(),
      /** When the checker is asked again, if its last answers were errors. */
      silentUntil: z.nullable(Instant),
      /** How many videos seemed to be gone at once in the last two days, so that none was marked. */
      held: z.nullable(z.number()),
    }),
    summary: 'Lessons whose videos could not be played, the marked ones first, 50 per page',
  },
  again: {
    methods: ['POST'],
    path: '/admin/videos/{id}/check',
    access: 'administrator',
    scope: 'admin',
    input: ById,
    answer: null,
    summary: 'Check the video of a lesson again within a minute',
  },
})
