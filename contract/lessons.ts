/** The fields that authors send are in lesson-forms.ts. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Id, Nothing, Page, UserId } from '#contract/fields.ts'
import {
  aboutOwner,
  Also,
  ById,
  Can,
  card,
  chipCounts,
  Consequences,
  listed,
  numbersInDetails,
  numbersOnCards,
  onCards,
  Returnable,
  Bought,
  Paged,
  rights,
  bandsInQuery,
  FILTERS,
  Search,
  Sort,
  whenLocked,
} from '#contract/items.ts'
import { Comment } from '#contract/comments.ts'
import {
  AdministratorsReason,
  Article,
  LessonDraft,
  LessonEdit,
  Video,
} from '#contract/lesson-forms.ts'
import { LessonInside } from '#contract/lesson-inside.ts'
import { LessonRewardCheck, Reward } from '#contract/points.ts'

export const LessonQuery = z.object({
  search: Search,
  sort: z._default(Sort, 'none'),
  ...bandsInQuery('lesson'),
  ...FILTERS.lesson,
  owner: z.optional(UserId),
  page: z.optional(Page),
})
export type LessonQuery = z.output<typeof LessonQuery>

/** Fields of cards and details. Everybody may read the opening, an author's first words; null if there is none. */
const fields = { ...card, opening: z.nullable(z.string()) }

export const LessonCard = z.object({ ...fields, ...numbersOnCards('lesson'), ...onCards })
export type LessonCard = z.infer<typeof LessonCard>

/** A course that contains the lesson. */
export const LessonCourse = z.object({
  id: z.number(),
  title: z.string(),
  price: z.number(),
  /** Number of lessons in the course. */
  lessons: z.number(),
  /** The price of its lessons bought separately. */
  singly: z.number(),
  /** True if the lesson is the course's free preview. */
  free: z.boolean(),
})
export type LessonCourse = z.infer<typeof LessonCourse>

const details = {
  ...fields,
  ...numbersInDetails('lesson'),
  liked: z.boolean(),
  bought: z.boolean(),
  /** Grows by one with every edit. */
  version: z.number(),
  commentCount: z.number(),
  inside: LessonInside,
}
/** The newest courses that contain it, up to three, and the owner's other items. */
const inCourses = {
  ...details,
  courses: z.array(LessonCourse),
  ...aboutOwner,
  returnable: Returnable,
  /** True if the video can't be played at the moment. The lesson can't be bought then. */
  videoGone: z.boolean(),
}
/** For callers without access: the paid fields are absent. */
export const LockedLesson = z.object({
  ...inCourses,
  /** `trust` is true if the viewer may unlock it below zero, as their first item. */
  can: z.object({ see: z.literal(false), ...rights, trust: z.boolean() }),
  ...whenLocked,
})
const paid = {
  video: z.string(),
  /** Start of the video in seconds. */
  videoStart: z.number(),
  article: z.string(),
  resources: z.string(),
}
export const OpenLesson = z.object({
  ...inCourses,
  ...paid,
  can: z.object({ see: z.literal(true), ...rights }),
  /** The newest 50. */
  comments: z.array(Comment),
})
export const Lesson = z.union([LockedLesson, OpenLesson])
export type LockedLesson = z.infer<typeof LockedLesson>
export type OpenLesson = z.infer<typeof OpenLesson>
export type Lesson = z.infer<typeof Lesson>

/** In answers to create and update, `comments` is the number. */
const changed = { ...details, ...paid, can: Can, comments: z.number() }
export const CreatedLesson = z.object({ ...changed, ...Reward })
export type CreatedLesson = z.infer<typeof CreatedLesson>
export const EditedLesson = z.object({ ...changed, kbPoints: z.number() })
export type EditedLesson = z.infer<typeof EditedLesson>

export const LessonPage = z.object({
  items: z.array(LessonCard),
  ...listed,
  counts: z.object(chipCounts('lesson')),
})
export type LessonPage = z.infer<typeof LessonPage>

/** Suggested lessons, and the reason for them. */
export const AlsoUnlocked = z.object({ because: Also, lessons: z.array(LessonCard) })
export type AlsoUnlocked = z.infer<typeof AlsoUnlocked>

export const lessons = endpoints({
  all: {
    methods: ['GET'],
    path: '/lesson/all',
    access: 'anybody',
    scope: 'read',
    input: LessonQuery,
    answer: z.array(LessonCard),
    summary:
      'Lessons; without `page` the whole list, with it that page and the total in X-Total-Count',
  },
  browse: {
    methods: ['GET'],
    path: '/lesson/browse',
    access: 'anybody',
    scope: 'read',
    input: LessonQuery,
    answer: LessonPage,
    summary:
      'One page of lessons with totals and the numbers on filter chips, as our own list page shows it',
  },
  popular: {
    methods: ['GET'],
    path: '/lesson/popular',
    access: 'anybody',
    scope: 'read',
    input: Nothing,
    answer: z.array(LessonCard),
    summary: 'The 8 most viewed lessons',
  },
  newest: {
    methods: ['GET'],
    path: '/lesson/newest',
    access: 'anybody',
    scope: 'read',
    input: Nothing,
    answer: z.array(z.object({ id: z.number(), title: z.string() })),
    summary: 'The newest lessons, for the shelf of the home page',
  },
  bought: {
    methods: ['GET'],
    path: '/lesson/bought',
    access: 'user',
    scope: 'read',
    input: Bought,
    answer: z.array(LessonCard),
    summary:
      'Lessons the caller bought, newest purchase first; with `sort=opened` those they were last at',
  },
  yours: {
    methods: ['GET'],
    path: '/lesson/yours',
    access: 'user',
    scope: 'read',
    input: Paged,
    answer: z.array(LessonCard),
    summary: "The caller's own lessons, newest first",
  },
  show: {
    methods: ['GET'],
    path: '/lesson/{id}',
    access: 'anybody',
    scope: 'read',
    input: ById,
    answer: Lesson,
    summary: 'One lesson: locked or open, as the caller may see it',
  },
  create: {
    methods: ['POST'],
    path: '/lesson/create',
    access: 'user',
    scope: 'write',
    form: true,
    lists: ['tags'],
    input: LessonDraft,
    answer: CreatedLesson,
    summary: 'Publish a lesson and earn its reward',
  },
  edit: {
    methods: ['PUT', 'PATCH'],
    path: '/lesson/{id}',
    access: 'user',
    scope: 'write',
    form: true,
    lists: ['tags'],
    input: LessonEdit,
    answer: EditedLesson,
    summary: 'Edit a lesson; PATCH leaves absent fields, PUT needs all but the image',
  },
  checkReward: {
    methods: ['POST'],
    path: '/lesson/rewardcheck',
    access: 'user',
    scope: 'read',
    input: z.object({ id: z.optional(Id), video: Video, article: Article }),
    answer: LessonRewardCheck,
    summary: 'Whether a draft would be rewarded, or with an id, whether an edited lesson stays so',
  },
  removal: {
    methods: ['GET'],
    path: '/lesson/removal/{id}',
    access: 'user',
    scope: 'read',
    input: ById,
    answer: z.object({
      ...Consequences,
      /** What the courses that lose the lesson pay back. */
      courses: z.array(z.object({ id: z.number(), title: z.string(), reward: z.number() })),
    }),
    summary: 'What deleting the lesson would take back and pay back',
  },
  remove: {
    methods: ['DELETE'],
    path: '/lesson/{id}',
    access: 'user',
    scope: 'write',
    input: z.object({ id: Id, reason: AdministratorsReason }),
    answer: z.object({ kbPoints: z.number() }),
    summary: 'Delete a lesson: its reward is taken back, its buyers are refunded',
  },
  buy: {
    methods: ['POST', 'GET'],
    path: '/lesson/buy/{id}',
    access: 'user',
    scope: 'write',
    input: ById,
    answer: z.object({ kbPoints: z.number() }),
    summary: 'Buy a lesson with KB Points',
  },
  recommended: {
    methods: ['GET'],
    path: '/lesson/recommended',
    access: 'user',
    scope: 'read',
    input: z.object({ lesson: z.optional(Id) }),
    answer: z.array(LessonCard),
    summary:
      'Up to 8 lessons that the caller does not have yet. `lesson` is the lesson next to which they are shown.',
  },
  also: {
    methods: ['GET'],
    path: '/lesson/also/{id}',
    access: 'anybody',
    scope: 'read',
    input: ById,
    answer: AlsoUnlocked,
    summary:
      'Up to 8 lessons that people who unlocked this one unlocked as well; where these are few, lessons that share several tags',
  },
  like: {
    methods: ['POST', 'GET'],
    path: '/lesson/like/{id}',
    access: 'user',
    scope: 'write',
    input: ById,
    answer: z.object({ likes: z.number() }),
    summary: 'Like a lesson, once',
  },
})
