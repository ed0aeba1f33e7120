/** The self-check of a lesson for learners and its author. The fields that authors send are in questions.ts. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { CHECK_ANSWERS, MOST_QUESTIONS } from '#contract/limits.ts'

const error = 'checkInvalid'
/** Indices of the chosen answers to one question. */
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

const Result = z.object({
  /** Number of correctly answered questions, and of all questions. */
  right: z.number(),
  of: z.number(),
  /** Revision of the questions that were answered. */
  revision: z.number(),
  date: Instant,
})
export type CheckResult = z.infer<typeof Result>

const attemptFields = {
  best: z.nullable(Result),
  last: z.nullable(Result),
  /** When the caller first answered everything correctly. Stays set when the questions change; null if never. */
  passedAt: z.nullable(Instant),
}

/** The questions without the correct answers. */
export const SelfCheck = z.object({
  /** Grows when a question, an answer or what is correct changes. 0 if the lesson never had questions. */
  revision: z.number(),
  questions: z.array(
    z.object({
      text: z.string(),
      answers: z.array(z.string()),
      /** True if more than one answer is correct. */
      several: z.boolean(),
    }),
  ),
  ...attemptFields,
})
export type SelfCheck = z.infer<typeof SelfCheck>

export const Taken = z.object({
  revision: z.number(),
  /** One entry per question. */
  right: z.array(z.boolean()),
  rightAnswers: z.array(z.array(z.number())),
  explanations: z.array(z.string()),
  /** True if every answer was correct. */
  passed: z.boolean(),
  ...attemptFields,
})
export type Taken = z.infer<typeof Taken>

export const CheckFigures = z.object({
  revision: z.number(),
  /** Attempts at the current questions, and how many of them were passed. */
  attempts: z.number(),
  passed: z.number(),
  questions: z.array(
    z.object({
      text: z.string(),
      explanation: z.string(),
      /** Attempts that answered it correctly. */
      right: z.number(),
      answers: z.array(
        z.object({
          text: z.string(),
          right: z.boolean(),
          /** Attempts that chose it. */
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
      /** For each question, the zero-based indices of the chosen answers. */
      answers: z.array(Chosen, { error }).check(z.maxLength(MOST_QUESTIONS, { error })),
      /** Revision of the answered questions. If absent, the server compares the number of questions. */
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
