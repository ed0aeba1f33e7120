import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Nothing } from '#contract/fields.ts'
import { CourseCard } from '#contract/courses.ts'
import { LessonCard } from '#contract/lessons.ts'
import { ContinueItem } from '#contract/progress.ts'

export const HomeNumbers = z.object({
  lessons: z.number(),
  courses: z.number(),
  authors: z.number(),
})
export type HomeNumbers = z.infer<typeof HomeNumbers>

/** A popular tag with its newest lessons, those in the reader's language first. */
export const TagShelf = z.object({
  tag: z.string(),
  lessons: z.array(z.object({ id: z.number(), title: z.string() })),
})
export type TagShelf = z.infer<typeof TagShelf>

/** A suggested lesson that the person has not unlocked. */
export const FreshLesson = z.object({
  card: LessonCard,
  because: z.object({
    /**
     * `tag`: they have other lessons with it. `together`: people with the same lessons have it. `popular`: it has
     * many views.
     */
    why: z.enum(['tag', 'together', 'popular']),
    /** Only for `tag`. */
    tag: z.nullable(z.string()),
  }),
})
export type FreshLesson = z.infer<typeof FreshLesson>

export const FollowedItem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('lesson'), card: LessonCard }),
  z.object({ kind: z.literal('course'), card: CourseCard }),
])
export type FollowedItem = z.infer<typeof FollowedItem>

/** The front page of signed-in people. */
export const Stall = z.object({
  continue: z.array(ContinueItem),
  fresh: z.array(FreshLesson),
  /** Newest items of people that the caller follows, up to 8. */
  followed: z.array(FollowedItem),
  /** The 8 most viewed lessons and best liked courses, with the caller's own state. */
  popular: z.array(LessonCard),
  highest: z.array(CourseCard),
  /** Covers today and the previous six UTC days. Unread messages have no time limit. */
  week: z.object({
    views: z.number(),
    unlocks: z.number(),
    /** Comments by others that the author has not responded to. */
    comments: z.number(),
    unread: z.number(),
  }),
  /** Null if the caller has already published and unlocked something. */
  steps: z.nullable(
    z.object({ readFree: z.boolean(), published: z.boolean(), unlocked: z.boolean() }),
  ),
})
export type Stall = z.infer<typeof Stall>

export const home = endpoints({
  numbers: {
    methods: ['GET'],
    path: '/home',
    access: 'anybody',
    scope: 'read',
    input: Nothing,
    answer: HomeNumbers,
    summary: 'How many lessons, courses and authors there are',
  },
  tags: {
    methods: ['GET'],
    path: '/home/tags',
    access: 'anybody',
    scope: 'read',
    input: Nothing,
    answer: z.array(TagShelf),
    summary:
      'Up to 4 tags of the most viewed lessons, each with its newest lessons; those in the caller’s language first',
  },
  stall: {
    methods: ['GET'],
    path: '/home/stall',
    access: 'user',
    scope: 'read',
    input: Nothing,
    answer: Stall,
    summary: 'What one was at last, what is new to one, and the last seven days of what one made',
  },
})
