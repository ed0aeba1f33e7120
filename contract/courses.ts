/** The fields that authors send are in course-forms.ts. */
import * as z from 'zod/mini'
import { CourseDraft, CourseEdit, CourseLessons } from '#contract/course-forms.ts'
import { endpoints } from '#contract/endpoint.ts'
import { Id, ImagePath, Nothing, Page, UserId } from '#contract/fields.ts'
import {
  aboutOwner,
  Also,
  AuthorRecord,
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
  bandsInQuery,
  FILTERS,
  Search,
  sortsInQuery,
} from '#contract/items.ts'
import { AdministratorsReason } from '#contract/lesson-forms.ts'
import { Reward, RewardCheck } from '#contract/points.ts'

export const CourseSort = sortsInQuery('course')
export type CourseSort = z.infer<typeof CourseSort>
export const CourseQuery = z.object({
  search: Search,
  sort: z._default(CourseSort, 'none'),
  ...bandsInQuery('course'),
  ...FILTERS.course,
  owner: z.optional(UserId),
  page: z.optional(Page),
})
export type CourseQuery = z.output<typeof CourseQuery>

export const CourseCard = z.object({
  ...card,
  ...numbersOnCards('course'),
  ...onCards,
  /** Ids in order. */
  lessons: z.array(z.number()),
})
export type CourseCard = z.infer<typeof CourseCard>

/** Visible to everybody. */
const CourseLesson = z.object({
  id: z.number(),
  title: z.string(),
  description: z.string(),
  thumbnail: ImagePath,
  articleMinutes: z.number(),
  can: z.object({ see: z.boolean() }),
})
export type CourseLesson = z.infer<typeof CourseLesson>

const details = {
  ...card,
  ...numbersInDetails('course'),
  can: Can,
  liked: z.boolean(),
  bought: z.boolean(),
  /** Grows by one with every edit. */
  version: z.number(),
  /** The sum over its lessons, equal to `comments`. */
  commentCount: z.number(),
  comments: z.number(),
  /** The lesson that is open to everybody. */
  freePreview: z.nullable(z.number()),
  /** In order. */
  lessons: z.array(CourseLesson),
  ...aboutOwner,
}
/** `author` is there only while it is locked. */
export const Course = z.object({
  ...details,
  author: z.optional(AuthorRecord),
  returnable: Returnable,
})
export type Course = z.infer<typeof Course>
export const CreatedCourse = z.object({ ...details, ...Reward })
export type CreatedCourse = z.infer<typeof CreatedCourse>
export const EditedCourse = z.object({ ...details, kbPoints: z.number() })
export type EditedCourse = z.infer<typeof EditedCourse>

export const CoursePage = z.object({
  items: z.array(CourseCard),
  ...listed,
  counts: z.object(chipCounts('course')),
})
export type CoursePage = z.infer<typeof CoursePage>

/** Suggested courses, and the reason for them. */
export const AlsoUnlockedCourses = z.object({ because: Also, courses: z.array(CourseCard) })
export type AlsoUnlockedCourses = z.infer<typeof AlsoUnlockedCourses>

/** A lesson that can be added to a course. */
export const CourseChoice = z.object({
  id: z.number(),
  title: z.string(),
  thumbnail: ImagePath,
  /** True if the lesson has its own reward and doesn't count towards another rewarded course. */
  counts: z.boolean(),
})
export type CourseChoice = z.infer<typeof CourseChoice>

export const courses = endpoints({
  all: {
    methods: ['GET'],
    path: '/course/all',
    access: 'anybody',
    scope: 'read',
    input: CourseQuery,
    answer: z.array(CourseCard),
    summary:
      'Courses; without `page` the whole list, with it that page and the total in X-Total-Count',
  },
  browse: {
    methods: ['GET'],
    path: '/course/browse',
    access: 'anybody',
    scope: 'read',
    input: CourseQuery,
    answer: CoursePage,
    summary:
      'One page of courses with totals and the numbers on filter chips, as our own list page shows it',
  },
  highest: {
    methods: ['GET'],
    path: '/course/highest',
    access: 'anybody',
    scope: 'read',
    input: Nothing,
    answer: z.array(CourseCard),
    summary: 'The 8 most liked courses',
  },
  bought: {
    methods: ['GET'],
    path: '/course/bought',
    access: 'user',
    scope: 'read',
    input: Bought,
    answer: z.array(CourseCard),
    summary:
      'Courses the caller bought, newest purchase first; with `sort=opened` those they were last at',
  },
  yours: {
    methods: ['GET'],
    path: '/course/yours',
    access: 'user',
    scope: 'read',
    input: Paged,
    answer: z.array(CourseCard),
    summary: "The caller's own courses, newest first",
  },
  choices: {
    methods: ['GET'],
    path: '/course/choices',
    access: 'user',
    scope: 'read',
    input: z.object({ course: z.optional(Id) }),
    answer: z.array(CourseChoice),
    summary:
      "Lessons that may stand in a new course of the caller, or in `course` (its owner's); newest first, up to 1,000",
  },
  show: {
    methods: ['GET'],
    path: '/course/{id}',
    access: 'anybody',
    scope: 'read',
    input: ById,
    answer: Course,
    summary:
      "One course with its lessons in order; what a lesson holds is the lesson call's answer",
  },
  create: {
    methods: ['POST'],
    path: '/course/create',
    access: 'user',
    scope: 'write',
    form: true,
    lists: ['lessons'],
    input: CourseDraft,
    answer: CreatedCourse,
    summary: "Publish a course of at least 6 of one's own lessons",
  },
  edit: {
    methods: ['PUT', 'PATCH'],
    path: '/course/{id}',
    access: 'user',
    scope: 'write',
    form: true,
    lists: ['lessons'],
    input: CourseEdit,
    answer: EditedCourse,
    summary: 'Edit a course; PATCH leaves absent fields, PUT needs all but the image',
  },
  checkReward: {
    methods: ['POST'],
    path: '/course/rewardcheck',
    access: 'user',
    scope: 'read',
    lists: ['lessons'],
    input: z.object({ lessons: CourseLessons }),
    answer: RewardCheck,
    summary: 'Whether a course of these lessons would be rewarded',
  },
  /** Previews what deleting the course would undo. */
  removal: {
    methods: ['GET'],
    path: '/course/removal/{id}',
    access: 'user',
    scope: 'read',
    input: ById,
    answer: z.object(Consequences),
    summary: 'What deleting the course would take back and pay back',
  },
  remove: {
    methods: ['DELETE'],
    path: '/course/{id}',
    access: 'user',
    scope: 'write',
    input: z.object({ id: Id, reason: AdministratorsReason }),
    answer: z.object({ kbPoints: z.number() }),
    summary: 'Delete a course: its reward is taken back, its buyers are refunded; its lessons stay',
  },
  buy: {
    methods: ['POST', 'GET'],
    path: '/course/buy/{id}',
    access: 'user',
    scope: 'write',
    input: ById,
    answer: z.object({ kbPoints: z.number() }),
    summary: 'Buy a course with KB Points; it opens its lessons everywhere',
  },
  also: {
    methods: ['GET'],
    path: '/course/also/{id}',
    access: 'anybody',
    scope: 'read',
    input: ById,
    answer: AlsoUnlockedCourses,
    summary:
      'Up to 8 courses that people who unlocked this one unlocked as well; where these are few, courses that share several tags',
  },
  like: {
    methods: ['POST', 'GET'],
    path: '/course/like/{id}',
    access: 'user',
    scope: 'write',
    input: ById,
    answer: z.object({ likes: z.number() }),
    summary: 'Like a course, once',
  },
})
