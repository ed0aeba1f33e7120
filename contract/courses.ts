/** Courses: cards, details, lists, purchase. What authors send stands in course-forms.ts. */
import * as z from 'zod/mini'
import { CourseDraft, CourseEdit, CourseLessons } from '#contract/course-forms.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, ImagePath, Nothing, Page, UserId } from '#contract/fields.ts'
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
  Search,
} from '#contract/items.ts'
import { AdministratorsReason } from '#contract/lesson-forms.ts'
import { Reward, RewardCheck } from '#contract/points.ts'

export const CourseCard = z.object({
  ...card,
  ...onCards,
  /** Ids, in order. */
  lessons: z.array(z.number()),
})
export type CourseCard = z.infer<typeof CourseCard>

/** A lesson as the course lists it, for everybody. */
const CourseLesson = z.object({
  id: z.number(),
  title: z.string(),
  thumbnail: ImagePath,
  articleMinutes: z.number(),
  can: z.object({ see: z.boolean() }),
})
export type CourseLesson = z.infer<typeof CourseLesson>

const details = {
  ...card,
  can: Can,
  liked: z.boolean(),
  bought: z.boolean(),
  /** Grows by one with every edit. */
  version: z.number(),
  /** The sum over its lessons; `comments` is the same number. */
  commentCount: z.number(),
  comments: z.number(),
  /** The lesson that is open to everybody. */
  freePreview: z.nullable(z.number()),
  /** In order. */
  lessons: z.array(CourseLesson),
}
export const Course = z.object(details)
export type Course = z.infer<typeof Course>
export const CreatedCourse = z.object({ ...details, ...Reward })
export type CreatedCourse = z.infer<typeof CreatedCourse>
export const EditedCourse = z.object({ ...details, kbPoints: z.number() })
export type EditedCourse = z.infer<typeof EditedCourse>

export const CourseSort = z.enum(['likes', 'comments', 'none'], { error: 'invalidChoice' })
export type CourseSort = z.infer<typeof CourseSort>
export const CourseQuery = z.object({
  search: Search,
  sort: z._default(CourseSort, 'none'),
  likes: Band,
  comments: Band,
  owner: z.optional(UserId),
  page: z.optional(Page),
})
export type CourseQuery = z.output<typeof CourseQuery>

export const CoursePage = z.object({
  items: z.array(CourseCard),
  ...listed,
  counts: z.object({ likes: BandCounts, comments: BandCounts }),
})
export type CoursePage = z.infer<typeof CoursePage>

/** A lesson that may be put into a course. */
export const CourseChoice = z.object({
  id: z.number(),
  title: z.string(),
  thumbnail: ImagePath,
  /** Holds its own reward and counts towards no other rewarded course. */
  counts: z.boolean(),
})
export type CourseChoice = z.infer<typeof CourseChoice>

export const courses = {
  all: endpoint({
    methods: ['GET'],
    path: '/course/all',
    access: 'anybody',
    input: CourseQuery,
    answer: z.array(CourseCard),
    summary:
      'Courses; without `page` the whole list, with it that page and the total in X-Total-Count',
  }),
  browse: endpoint({
    methods: ['GET'],
    path: '/course/browse',
    access: 'anybody',
    input: CourseQuery,
    answer: CoursePage,
    summary:
      'One page of courses with totals and the numbers on filter chips, as our own list page shows it',
  }),
  highest: endpoint({
    methods: ['GET'],
    path: '/course/highest',
    access: 'anybody',
    input: Nothing,
    answer: z.array(CourseCard),
    summary: 'The 8 most liked courses',
  }),
  bought: endpoint({
    methods: ['GET'],
    path: '/course/bought',
    access: 'user',
    input: Paged,
    answer: z.array(CourseCard),
    summary: 'Courses the caller bought, newest purchase first',
  }),
  yours: endpoint({
    methods: ['GET'],
    path: '/course/yours',
    access: 'user',
    input: Paged,
    answer: z.array(CourseCard),
    summary: "The caller's own courses, newest first",
  }),
  choices: endpoint({
    methods: ['GET'],
    path: '/course/choices',
    access: 'user',
    input: z.object({ course: z.optional(Id) }),
    answer: z.array(CourseChoice),
    summary:
      "Lessons that may stand in a new course of the caller, or in `course` (its owner's); newest first, up to 1,000",
  }),
  show: endpoint({
    methods: ['GET'],
    path: '/course/{id}',
    access: 'anybody',
    input: ById,
    answer: Course,
    summary:
      "One course with its lessons in order; what a lesson holds is the lesson call's answer",
  }),
  create: endpoint({
    methods: ['POST'],
    path: '/course/create',
    access: 'user',
    form: true,
    lists: ['lessons'],
    input: CourseDraft,
    answer: CreatedCourse,
    summary: "Publish a course of at least 6 of one's own lessons",
  }),
  edit: endpoint({
    methods: ['PUT', 'PATCH'],
    path: '/course/{id}',
    access: 'user',
    form: true,
    lists: ['lessons'],
    input: CourseEdit,
    answer: EditedCourse,
    summary: 'Edit a course; PATCH leaves absent fields, PUT needs all but the image',
  }),
  checkReward: endpoint({
    methods: ['POST'],
    path: '/course/rewardcheck',
    access: 'user',
    lists: ['lessons'],
    input: z.object({ lessons: CourseLessons }),
    answer: RewardCheck,
    summary: 'Whether a course of these lessons would be rewarded',
  }),
  /** What a delete would take back, told before it happens. */
  removal: endpoint({
    methods: ['GET'],
    path: '/course/removal/{id}',
    access: 'user',
    input: ById,
    answer: z.object(Consequences),
    summary: 'What deleting the course would take back and pay back',
  }),
  remove: endpoint({
    methods: ['DELETE'],
    path: '/course/{id}',
    access: 'user',
    input: z.object({ id: Id, reason: AdministratorsReason }),
    answer: z.object({ kbPoints: z.number() }),
    summary: 'Delete a course: its reward is taken back, its buyers are refunded; its lessons stay',
  }),
  buy: endpoint({
    methods: ['POST', 'GET'],
    path: '/course/buy/{id}',
    access: 'user',
    input: ById,
    answer: z.object({ kbPoints: z.number() }),
    summary: 'Buy a course with KB Points; it opens its lessons everywhere',
  }),
  like: endpoint({
    methods: ['POST', 'GET'],
    path: '/course/like/{id}',
    access: 'user',
    input: ById,
    answer: z.object({ likes: z.number() }),
    summary: 'Like a course, once',
  }),
}
