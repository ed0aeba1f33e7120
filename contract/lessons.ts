/** Lessons: cards, details, lists, purchase. What authors send stands in lesson-forms.ts. */
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Nothing, Page, UserId } from '#contract/fields.ts'
import {
  Band,
  BandCounts,
  ById,
  Can,
  card,
  Consequences,
  listed,
  onCards,
  Paged,
  rights,
  Search,
  Sort,
} from '#contract/items.ts'
import { Comment } from '#contract/comments.ts'
import {
  AdministratorsReason,
  Article,
  LessonDraft,
  LessonEdit,
  Video,
} from '#contract/lesson-forms.ts'
import { Reward, RewardCheck } from '#contract/points.ts'

const views = { views: z.number() }
export const LessonCard = z.object({ ...card, ...views, ...onCards })
export type LessonCard = z.infer<typeof LessonCard>

const details = {
  ...card,
  ...views,
  liked: z.boolean(),
  bought: z.boolean(),
  /** Grows by one with every edit. */
  version: z.number(),
  commentCount: z.number(),
  inside: z.object({ articleMinutes: z.number(), resource: z.boolean() }),
}
/** For those who may not see what is inside: the paid fields don't exist. */
export const LockedLesson = z.object({
  ...details,
  can: z.object({ see: z.literal(false), ...rights }),
  comments: z.number(),
})
const paid = { video: z.string(), article: z.string(), resources: z.string() }
export const OpenLesson = z.object({
  ...details,
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

export const LessonQuery = z.object({
  search: Search,
  sort: z._default(Sort, 'none'),
  views: Band,
  likes: Band,
  comments: Band,
  owner: z.optional(UserId),
  page: z.optional(Page),
})
export type LessonQuery = z.output<typeof LessonQuery>

export const LessonPage = z.object({
  items: z.array(LessonCard),
  ...listed,
  counts: z.object({ views: BandCounts, likes: BandCounts }),
})
export type LessonPage = z.infer<typeof LessonPage>

export const lessons = {
  all: endpoint({
    methods: ['GET'],
    path: '/lesson/all',
    access: 'anybody',
    input: LessonQuery,
    answer: z.array(LessonCard),
    summary:
      'Lessons; without `page` the whole list, with it that page and the total in X-Total-Count',
  }),
  browse: endpoint({
    methods: ['GET'],
    path: '/lesson/browse',
    access: 'anybody',
    input: LessonQuery,
    answer: LessonPage,
    summary:
      'One page of lessons with totals and the numbers on filter chips, as our own list page shows it',
  }),
  popular: endpoint({
    methods: ['GET'],
    path: '/lesson/popular',
    access: 'anybody',
    input: Nothing,
    answer: z.array(LessonCard),
    summary: 'The 8 most viewed lessons',
  }),
  newest: endpoint({
    methods: ['GET'],
    path: '/lesson/newest',
    access: 'anybody',
    input: Nothing,
    answer: z.array(z.object({ id: z.number(), title: z.string() })),
    summary: 'The newest lessons, for the shelf of the home page',
  }),
  bought: endpoint({
    methods: ['GET'],
    path: '/lesson/bought',
    access: 'user',
    input: Paged,
    answer: z.array(LessonCard),
    summary: 'Lessons the caller bought, newest purchase first',
  }),
  yours: endpoint({
    methods: ['GET'],
    path: '/lesson/yours',
    access: 'user',
    input: Paged,
    answer: z.array(LessonCard),
    summary: "The caller's own lessons, newest first",
  }),
  show: endpoint({
    methods: ['GET'],
    path: '/lesson/{id}',
    access: 'anybody',
    input: ById,
    answer: Lesson,
    summary: 'One lesson: locked or open, as the caller may see it',
  }),
  create: endpoint({
    methods: ['POST'],
    path: '/lesson/create',
    access: 'user',
    form: true,
    lists: ['tags'],
    input: LessonDraft,
    answer: CreatedLesson,
    summary: 'Publish a lesson and earn its reward',
  }),
  edit: endpoint({
    methods: ['PUT', 'PATCH'],
    path: '/lesson/{id}',
    access: 'user',
    form: true,
    lists: ['tags'],
    input: LessonEdit,
    answer: EditedLesson,
    summary: 'Edit a lesson; PATCH leaves absent fields, PUT needs all but the image',
  }),
  checkReward: endpoint({
    methods: ['POST'],
    path: '/lesson/rewardcheck',
    access: 'user',
    input: z.object({ video: Video, article: Article }),
    answer: RewardCheck,
    summary: 'Whether a draft would be rewarded',
  }),
  /** What a delete would take back, told before it happens. */
  removal: endpoint({
    methods: ['GET'],
    path: '/lesson/removal/{id}',
    access: 'user',
    input: ById,
    answer: z.object({
      ...Consequences,
      /** What the courses that the lesson leaves pay back and lose. */
      courses: z.array(z.object({ id: z.number(), title: z.string(), reward: z.number() })),
    }),
    summary: 'What deleting the lesson would take back and pay back',
  }),
  remove: endpoint({
    methods: ['DELETE'],
    path: '/lesson/{id}',
    access: 'user',
    input: z.object({ id: Id, reason: AdministratorsReason }),
    answer: z.object({ kbPoints: z.number() }),
    summary: 'Delete a lesson: its reward is taken back, its buyers are refunded',
  }),
  buy: endpoint({
    methods: ['POST', 'GET'],
    path: '/lesson/buy/{id}',
    access: 'user',
    input: ById,
    answer: z.object({ kbPoints: z.number() }),
    summary: 'Buy a lesson with KB Points',
  }),
  recommended: endpoint({
    methods: ['GET'],
    path: '/lesson/recommended',
    access: 'user',
    input: z.object({ lesson: z.optional(Id) }),
    answer: z.array(LessonCard),
    summary: 'Up to 8 lessons the caller does not have yet; `lesson` is the one they stand beside',
  }),
  like: endpoint({
    methods: ['POST', 'GET'],
    path: '/lesson/like/{id}',
    access: 'user',
    input: ById,
    answer: z.object({ likes: z.number() }),
    summary: 'Like a lesson, once',
  }),
}
