/** The self-check of a lesson, as who takes it and its author see it. What authors write is in questions.ts. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { CHECK_ANSWERS, MOST_QUESTIONS } from '#contract/limits.ts'

const error = 'checkInvalid'
/** Places of the answers that were chosen to one question. */
const Chosen = z
  .array(
    z.number({ error }).check(
      z.refine((place) => Number.isInteger(place) && place >= 0 && place < CHECK_ANSWERS.max, {
        error,
      }),
    ),
    { error },
  )
  .check(
    z.maxLength(CHECK_ANSWERS.max, { error }),
    z.refine((chosen) => new Set(chosen).size === chosen.length, { error }),
  )

/** How an attempt went. */
const Result = z.object({
  /** Questions that were answered rightly, and how many there were. */
  right: z.number(),
  of: z.number(),
  /** Of the questions that were answered. */
  revision: z.number(),
  date: Instant,
})
export type CheckResult = z.infer<typeof Result>

/** What is known of the caller's attempts. */
const standing = {
  best: z.nullable(Result),
  last: z.nullable(Result),
  /** When all was right in one attempt for the first time; it stays, also when the questions change. Null: never. */
  passedAt: z.nullable(Instant),
}

/** The questions as they are asked: nothing says which answers are right. */
export const SelfCheck = z.object({
  /** Grows when what is asked, its answers or which are right changes; 0: the lesson never had questions. */
  revision: z.number(),
  questions: z.array(
    z.object({
      text: z.string(),
      answers: z.array(z.string()),
      /** More than one answer is right. */
      several: z.boolean(),
    }),
  ),
  ...standing,
})
export type SelfCheck = z.infer<typeof SelfCheck>

export const Taken = z.object({
  revision: z.number(),
  /** Of each question. */
  right: z.array(z.boolean()),
  rightAnswers: z.array(z.array(z.number())),
  explanations: z.array(z.string()),
  /** All was right. */
  passed: z.boolean(),
  ...standing,
})
export type Taken = z.infer<typeof Taken>

export const CheckFigures = z.object({
  revision: z.number(),
  /** Of these questions, and those of them in which all was right. */
  attempts: z.number(),
  passed: z.number(),
  questions: z.array(
    z.object({
      text: z.string(),
      explanation: z.string(),
      /** Attempts in which it was answered rightly. */
      right: z.number(),
      answers: z.array(
        z.object({
          text: z.string(),
          right: z.boolean(),
          /** Attempts in which it was chosen. */
          chosen: z.number(),
        }),
      ),
    }),
  ),
})
export type CheckFigures = z.infer<typeof CheckFigures>

const OfLesson = z.object({ lessonId: Id })

export const checks = endpoints({
  show: {
    methods: ['GET'],
    path: '/check/{lessonId}',
    access: 'user',
    scope: 'read',
    input: OfLesson,
    answer: SelfCheck,
    summary:
      "The questions of a lesson that is open to the caller, without what is right, and the caller's best and last attempt",
  },
  take: {
    methods: ['POST'],
    path: '/check/{lessonId}',
    access: 'user',
    scope: 'write',
    input: z.object({
      lessonId: Id,
      /** For each question the places of the answers that were chosen, from 0. */
      answers: z.array(Chosen, { error }).check(z.maxLength(MOST_QUESTIONS, { error })),
      /** Of the questions that were answered; without it their number is compared. */
      revision: z.optional(Id),
    }),
    answer: Taken,
    summary:
      'Take the self-check of a lesson, as often as one likes; 409 with the new questions (`check`) where they have changed',
  },
  figures: {
    methods: ['GET'],
    path: '/check/{lessonId}/figures',
    access: 'user',
    scope: 'read',
    input: OfLesson,
    answer: CheckFigures,
    summary: 'How often each answer was chosen: for the owner of the lesson and administrators',
  },
})
