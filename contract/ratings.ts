/** Stars and texts from people who unlocked a lesson or course. */
import * as z from 'zod/mini'
import { CommentCounts, moderated, Prediction } from '#contract/comments.ts'
import { endpoints } from '#contract/endpoint.ts'
import { Ids, ImagePath, Instant, lengthIn, Page, text, Checkbox } from '#contract/fields.ts'
import { ById, Paged } from '#contract/items.ts'
import { RATING_ANSWER, RATING_TEXT, STARS } from '#contract/limits.ts'
import { normalizeText } from '#contract/measure.ts'
import { message } from '#contract/message.ts'

/** The author's answer to a rating. */
const Answer = z.object({ text: z.string(), date: Instant })

export const Rating = z.object({
  id: z.number(),
  stars: z.number(),
  /** Absent if the person only gave stars. */
  text: z.optional(z.string()),
  /** The id of the rating's author. */
  user: z.string(),
  userName: z.string(),
  imageUrl: ImagePath,
  /** When it was given or last changed. */
  date: Instant,
  answer: z.optional(Answer),
})
export type Rating = z.infer<typeof Rating>

export const ItemRatings = z.object({
  /** Rounded to one decimal. Null for fewer than three ratings. */
  average: z.nullable(z.number()),
  count: z.number(),
  /** Number of ratings with one to five stars. */
  spread: z.array(z.number()),
  /** A page of 50, newest first. */
  entries: z.array(Rating),
  /** The caller's own rating, or null. */
  own: z.nullable(Rating),
})
export type ItemRatings = z.infer<typeof ItemRatings>

/** A rating with a text. */
export const ModeratedRating = z.extend(Rating, {
  kind: z.enum(['lesson', 'course']),
  itemId: z.number(),
  title: z.string(),
  ...moderated,
})
export type ModeratedRating = z.infer<typeof ModeratedRating>

export const RatingsQuery = z.object({
  page: z.optional(Page),
  label: z.optional(z.enum([...Prediction.options, 'NONE'], { error: 'invalidChoice' })),
  deleted: Checkbox,
})
export type RatingsQuery = z.output<typeof RatingsQuery>

/** The restored ratings, and why others could not be restored. */
export const RestoredRatings = z.object({
  restored: z.array(z.number()),
  refused: z.array(
    z.object({ id: z.number(), why: z.enum(['ratingNotFound', 'ratingNotUndoable']) }),
  ),
})
export type RestoredRatings = z.infer<typeof RestoredRatings>

const starsError = message('ratingStarsMs', { min: STARS.min, max: STARS.max })
const Stars = z.number({ error: starsError }).check(
  z.refine((stars) => Number.isInteger(stars) && stars >= STARS.min && stars <= STARS.max, {
    error: starsError,
  }),
)

const wordsError = message('ratingTextMs', { min: RATING_TEXT.min, max: RATING_TEXT.max })
const checkWords = lengthIn(RATING_TEXT, wordsError)
/** Forms send an empty value for no text. */
const Words = z.optional(
  z.pipe(
    z.nullable(
      z.string({ error: wordsError }).check(z.overwrite(normalizeText), (words) => {
        if (words.value !== '') checkWords(words)
      }),
    ),
    z.transform((words) => (words === null || words === '' ? undefined : words)),
  ),
)

const ofItem = {
  input: z.extend(Paged, { id: ById.shape.id }),
  answer: ItemRatings,
  summary: 'The ratings of an item, for everybody: their average, their spread, and a page of them',
}
const rate = {
  input: z.extend(ById, { stars: Stars, text: Words }),
  answer: Rating,
  summary: 'Rate what one has unlocked and opened, in whole stars and in words; or change that',
}
const unrate = { input: ById, answer: null, summary: 'Take back one’s own rating of an item' }

export const ratings = endpoints({
  ofLesson: {
    methods: ['GET'],
    path: '/rating/lesson/{id}',
    access: 'anybody',
    scope: 'read',
    ...ofItem,
  },
  ofCourse: {
    methods: ['GET'],
    path: '/rating/course/{id}',
    access: 'anybody',
    scope: 'read',
    ...ofItem,
  },
  rateLesson: {
    methods: ['PUT'],
    path: '/rating/lesson/{id}',
    access: 'user',
    scope: 'write',
    ...rate,
  },
  rateCourse: {
    methods: ['PUT'],
    path: '/rating/course/{id}',
    access: 'user',
    scope: 'write',
    ...rate,
  },
  unrateLesson: {
    methods: ['DELETE'],
    path: '/rating/lesson/{id}',
    access: 'user',
    scope: 'write',
    ...unrate,
  },
  unrateCourse: {
    methods: ['DELETE'],
    path: '/rating/course/{id}',
    access: 'user',
    scope: 'write',
    ...unrate,
  },
  answer: {
    methods: ['PUT'],
    path: '/rating/{id}/answer',
    access: 'user',
    scope: 'write',
    input: z.extend(ById, { text: text(RATING_ANSWER, 'ratingAnswerMs') }),
    answer: Rating,
    summary: 'Answer a rating of what one has made, once; or change the answer',
  },
  unanswer: {
    methods: ['DELETE'],
    path: '/rating/{id}/answer',
    access: 'user',
    scope: 'write',
    input: ById,
    answer: null,
    summary: 'Take back the answer to a rating: the author, or an administrator',
  },
  browse: {
    methods: ['GET'],
    path: '/rating/browse',
    access: 'administrator',
    scope: 'admin',
    input: RatingsQuery,
    answer: z.object({
      ratings: z.array(ModeratedRating),
      /** Exact up to 10,000; `more` is true above that. */
      total: z.number(),
      more: z.boolean(),
      /** The returned page, which is the last one if the requested page doesn't exist. */
      page: z.number(),
      pages: z.number(),
      /** Number of ratings by opinion. Null if there are too many to count. */
      labels: CommentCounts,
    }),
    summary: 'Ratings with words for the desk, newest first; with `deleted` what was deleted there',
  },
  removeMany: {
    methods: ['POST'],
    path: '/rating/delete',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ ids: Ids }),
    answer: null,
    summary: 'Delete up to 100 ratings; those that are gone already change nothing',
  },
  restoreMany: {
    methods: ['POST'],
    path: '/rating/restore',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ ids: Ids }),
    answer: RestoredRatings,
    summary:
      'Bring back up to 100 ratings that administrators deleted less than 30 days ago; one that is refused stops no other',
  },
})
