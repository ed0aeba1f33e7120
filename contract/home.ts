/** Numbers and suggestions of the front page and the search box. */
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

/** A tag of what is read most, with its newest lessons, those in the reader's language first. */
export const TagShelf = z.object({
  tag: z.string(),
  lessons: z.array(z.object({ id: z.number(), title: z.string() })),
})
export type TagShelf = z.infer<typeof TagShelf>

/** A lesson that somebody does not have, and why it is shown to them. */
export const FreshLesson = z.object({
  card: LessonCard,
  because: z.object({
    /** tag: they have others with it. together: who has the same as they has it. popular: many look at it. */
    why: z.enum(['tag', 'together', 'popular']),
    /** Only with tag. */
    tag: z.nullable(z.string()),
  }),
})
export type FreshLesson = z.infer<typeof FreshLesson>

/** What somebody whom one follows published. */
export const FollowedItem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('lesson'), card: LessonCard }),
  z.object({ kind: z.literal('course'), card: CourseCard }),
])
export type FollowedItem = z.infer<typeof FollowedItem>

/** The front page of the signed-in. */
export const Stall = z.object({
  continue: z.array(ContinueItem),
  fresh: z.array(FreshLesson),
  /** The newest of people whom one follows; up to 8. */
  followed: z.array(FollowedItem),
  /** The 8 most viewed lessons and best liked courses, with the marks of who asks. */
  popular: z.array(LessonCard),
  highest: z.array(CourseCard),
  /** Of today and the six UTC days before; of unread messages, all. */
  week: z.object({
    views: z.number(),
    unlocks: z.number(),
    /** Comments of others that no later one of the author follows. */
    comments: z.number(),
    unread: z.number(),
  }),
  /** Null for who has published and unlocked. */
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
