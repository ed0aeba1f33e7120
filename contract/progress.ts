import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Id, Ids, ImagePath, Instant, Nothing } from '#contract/fields.ts'
import { PROGRESS_AGE_MS } from '#contract/limits.ts'

const error = 'invalidProgress'
/** A position in a video. The server reduces a position beyond the end to the video's length, if it is known. */
const Seconds = z.number({ error }).check(z.refine((seconds) => seconds >= 0, { error }))
const OptionalFlag = z.optional(z.boolean({ error }))

const REPORT = {
  /** Current position in seconds. */
  seconds: z.optional(Seconds),
  /** The furthest second that was watched. The server raises it to `seconds` if it is less. */
  furthest: z.optional(Seconds),
  /** Length of the whole video according to its player. */
  length: z.optional(Seconds),
  /** True if the article was opened. */
  opened: OptionalFlag,
  /** Set by the person. */
  done: OptionalFlag,
  /** Age of the report in ms, if it waited in the browser. */
  ago: z.optional(
    z.number({ error }).check(z.refine((ago) => ago >= 0 && ago <= PROGRESS_AGE_MS, { error })),
  ),
}

export const LessonProgress = z.object({
  lesson: z.number(),
  /** Last position in the video. */
  seconds: z.number(),
  /** Length of the video. 0 if unknown. */
  length: z.number(),
  furthest: z.number(),
  opened: z.boolean(),
  /** True if the person marked it, or reached the last 5 % of the video. */
  done: z.boolean(),
  /** Time of the last activity. */
  date: Instant,
})
export type LessonProgress = z.infer<typeof LessonProgress>

export const ContinueItem = z.object({
  kind: z.enum(['lesson', 'course']),
  id: z.number(),
  title: z.string(),
  thumbnail: ImagePath,
  /** Ids of a course's lessons in order. Empty for a lesson. */
  lessons: z.array(z.number()),
  /** Ids of finished lessons. For a lesson, its own id if it is finished. */
  done: z.array(z.number()),
  /** For a course, the next lesson. */
  next: z.nullable(z.number()),
  /** Last position and length of a lesson's video. 0 for a course, and before anything was watched. */
  seconds: z.number(),
  length: z.number(),
  /** Time of the last activity. Null if the item was unlocked but not opened. */
  opened: z.nullable(Instant),
  /** When the item was unlocked. Null if no unlock was needed. */
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
            [seconds, furthest, opened, done].some((value) => value !== undefined),
          { error, path: ['seconds'] },
        ),
      ),
    answer: null,
    summary:
      'Report your progress in a lesson that you can open. The newest position wins; `furthest` never decreases.',
  },
  of: {
    methods: ['GET'],
    path: '/progress',
    access: 'user',
    scope: 'read',
    input: z.object({ lesson: Ids }),
    answer: z.array(LessonProgress),
    summary: 'Your progress in up to 100 lessons, without lessons that you never started',
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
      'Up to 8 lessons and courses to continue: started ones, most recent first, then unlocked ones, then finished ones',
  },
})
