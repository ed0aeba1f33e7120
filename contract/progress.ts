/** How far a person is in lessons: what is reported, what is known, and what one goes on with. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Id, Ids, ImagePath, Instant, Nothing } from '#contract/fields.ts'
import { PROGRESS_AGE_MS } from '#contract/limits.ts'

const error = 'invalidProgress'
/** A place in a video. What lies beyond its end is taken for the end. */
const Seconds = z.number({ error }).check(z.refine((seconds) => seconds >= 0, { error }))
const Yes = z.optional(z.boolean({ error }))

const REPORT = {
  /** Where the video is. */
  seconds: z.optional(Seconds),
  /** The furthest second that was seen; at least `seconds`. */
  furthest: z.optional(Seconds),
  /** Of the whole video, as its player says. */
  length: z.optional(Seconds),
  /** The article was opened. */
  opened: Yes,
  /** Set by hand. */
  done: Yes,
  /** How many milliseconds ago all of it was so, in a report that had to wait. */
  ago: z.optional(
    z.number({ error }).check(z.refine((ago) => ago >= 0 && ago <= PROGRESS_AGE_MS, { error })),
  ),
}

/** How far one is in a lesson. */
export const LessonProgress = z.object({
  lesson: z.number(),
  /** Where the video was left. */
  seconds: z.number(),
  /** Of the video; 0: nobody has said. */
  length: z.number(),
  furthest: z.number(),
  opened: z.boolean(),
  /** By hand, or because the last twentieth of the video was seen. */
  done: z.boolean(),
  /** When one was last at it. */
  date: Instant,
})
export type LessonProgress = z.infer<typeof LessonProgress>

/** What somebody may go on with. */
export const ContinueItem = z.object({
  kind: z.enum(['lesson', 'course']),
  id: z.number(),
  title: z.string(),
  thumbnail: ImagePath,
  /** Ids of a course's lessons in their order; none of a lesson. */
  lessons: z.array(z.number()),
  /** Those of them that are done; of a lesson itself, when it is. */
  done: z.array(z.number()),
  /** Of a course: the lesson to go on with. */
  next: z.nullable(z.number()),
  /** Where the video of a lesson was left, and how long it is; 0 of a course, and before anything was seen. */
  seconds: z.number(),
  length: z.number(),
  /** When one was last at it; null: it was unlocked and not begun. */
  opened: z.nullable(Instant),
  /** When it was unlocked; null where that was not needed. */
  date: z.nullable(Instant),
})
export type ContinueItem = z.infer<typeof ContinueItem>

export const progress = endpoints({
  report: {
    methods: ['PUT'],
    path: '/progress/{lessonId}',
    access: 'user',
    scope: 'write',
    input: z
      .object({ lessonId: Id, ...REPORT })
      .check(
        z.refine(
          ({ seconds, furthest, opened, done }) =>
            [seconds, furthest, opened, done].some((told) => told !== undefined),
          { error, path: ['seconds'] },
        ),
      ),
    answer: null,
    summary:
      'Tell how far one is in a lesson that is open to one; the newest place counts, the furthest second never falls',
  },
  of: {
    methods: ['GET'],
    path: '/progress',
    access: 'user',
    scope: 'read',
    input: z.object({ lesson: Ids }),
    answer: z.array(LessonProgress),
    summary: 'How far one is in up to 100 lessons; those that were never begun are left out',
    lists: ['lesson'],
  },
  continue: {
    methods: ['GET'],
    path: '/progress/continue',
    access: 'user',
    scope: 'read',
    input: Nothing,
    answer: z.array(ContinueItem),
    summary:
      'Up to 8 lessons and courses to go on with: those begun, the last one first, then those unlocked, then those done',
  },
})
