/** Lessons: cards, details, lists, purchase. What authors send stands in lesson-forms.schemas.ts, what lists are asked for in lesson-lists.schemas.ts. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { LessonQuery } from '#contract/lesson-lists.schemas.ts'
import { lessons as calls } from '#contract/lessons.ts'
import { Id, Nothing } from '#contract/fields.schemas.ts'
import {
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
  FollowingOwner,
  OwnerItems,
  Bought,
  Paged,
  rights,
} from '#contract/items.schemas.ts'
import { Comment } from '#contract/comments.schemas.ts'
import {
  AdministratorsReason,
  Article,
  LessonDraft,
  LessonEdit,
  Video,
} from '#contract/lesson-forms.schemas.ts'
import { Reward, RewardCheck } from '#contract/points.schemas.ts'

/** Its first words, which everybody may read; null: none. */
const opening = z.nullable(z.string())

export const LessonCard = z.object({ ...card, opening, ...numbersOnCards('lesson'), ...onCards })
export type LessonCard = z.infer<typeof LessonCard>

/** A course that holds a lesson, as the lesson's page names it. */
export const LessonCourse = z.object({
  id: z.number(),
  title: z.string(),
  price: z.number(),
  /** How many it has. */
  lessons: z.number(),
  /** What these cost one by one. */
  singly: z.number(),
  /** The lesson is its free preview. */
  free: z.boolean(),
})
export type LessonCourse = z.infer<typeof LessonCourse>

const details = {
  ...card,
  opening,
  ...numbersInDetails('lesson'),
  liked: z.boolean(),
  bought: z.boolean(),
  /** Grows by one with every edit. */
  version: z.number(),
  commentCount: z.number(),
  inside: z.object({
    articleMinutes: z.number(),
    /** Of the article. */
    words: z.number(),
    headings: z.number(),
    resource: z.boolean(),
    /** The ending of the resource's name, such as `PDF`; null where it has none. */
    resourceKind: z.nullable(z.string()),
    /** Null for a link to elsewhere. */
    resourceBytes: z.nullable(z.number()),
    /** Of the self-check. */
    questions: z.number(),
  }),
}
/** The newest courses that hold it, three at most, and what its owner has published. */
const inCourses = {
  courses: z.array(LessonCourse),
  ownerItems: OwnerItems,
  following: FollowingOwner,
}
/** For those who may not see what is inside: the paid fields don't exist. */
export const LockedLesson = z.object({
  ...details,
  ...inCourses,
  can: z.object({ see: z.literal(false), ...rights }),
  comments: z.number(),
})
const paid = {
  video: z.string(),
  /** Second at which the video begins. */
  videoStart: z.number(),
  article: z.string(),
  resources: z.string(),
}
export const OpenLesson = z.object({
  ...details,
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

/** In create and update answers `comments` is the count. */
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

/** What may be wanted besides a lesson, and why. */
export const AlsoUnlocked = z.object({ because: Also, lessons: z.array(LessonCard) })
export type AlsoUnlocked = z.infer<typeof AlsoUnlocked>

const schemas = {
  all: {
    input: LessonQuery,
    answer: z.array(LessonCard),
    summary:
      'Lessons; without `page` the whole list, with it that page and the total in X-Total-Count',
  },
  browse: {
    input: LessonQuery,
    answer: LessonPage,
    summary:
      'One page of lessons with totals and the numbers on filter chips, as our own list page shows it',
  },
  popular: {
    input: Nothing,
    answer: z.array(LessonCard),
    summary: 'The 8 most viewed lessons',
  },
  newest: {
    input: Nothing,
    answer: z.array(z.object({ id: z.number(), title: z.string() })),
    summary: 'The newest lessons, for the shelf of the home page',
  },
  bought: {
    input: Bought,
    answer: z.array(LessonCard),
    summary:
      'Lessons the caller bought, newest purchase first; with `sort=opened` those they were last at',
  },
  yours: {
    input: Paged,
    answer: z.array(LessonCard),
    summary: "The caller's own lessons, newest first",
  },
  show: {
    input: ById,
    answer: Lesson,
    summary: 'One lesson: locked or open, as the caller may see it',
  },
  create: {
    lists: ['tags'],
    input: LessonDraft,
    answer: CreatedLesson,
    summary: 'Publish a lesson and earn its reward',
  },
  edit: {
    lists: ['tags'],
    input: LessonEdit,
    answer: EditedLesson,
    summary: 'Edit a lesson; PATCH leaves absent fields, PUT needs all but the image',
  },
  checkReward: {
    input: z.object({ video: Video, article: Article }),
    answer: RewardCheck,
    summary: 'Whether a draft would be rewarded',
  },
  removal: {
    input: ById,
    answer: z.object({
      ...Consequences,
      /** What the courses that the lesson leaves pay back and lose. */
      courses: z.array(z.object({ id: z.number(), title: z.string(), reward: z.number() })),
    }),
    summary: 'What deleting the lesson would take back and pay back',
  },
  remove: {
    input: z.object({ id: Id, reason: AdministratorsReason }),
    answer: z.object({ kbPoints: z.number() }),
    summary: 'Delete a lesson: its reward is taken back, its buyers are refunded',
  },
  buy: {
    input: ById,
    answer: z.object({ kbPoints: z.number() }),
    summary: 'Buy a lesson with KB Points',
  },
  recommended: {
    input: z.object({ lesson: z.optional(Id) }),
    answer: z.array(LessonCard),
    summary: 'Up to 8 lessons the caller does not have yet; `lesson` is the one they stand beside',
  },
  also: {
    input: ById,
    answer: AlsoUnlocked,
    summary:
      'Up to 8 lessons that people who unlocked this one unlocked as well; where these are few, lessons with its tags',
  },
  like: {
    input: ById,
    answer: z.object({ likes: z.number() }),
    summary: 'Like a lesson, once',
  },
}
export type LessonsSchemas = typeof schemas

/** The calls with what judges them, as the server needs them. */
export const lessons = endpoints(calls, schemas)
