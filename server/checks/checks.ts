/** Self-checks: what is asked, an attempt, and how often each answer was chosen. */
import type { CheckFigures, checks, SelfCheck, Taken } from '#contract/checks.ts'
import type { ParsedOf } from '#contract/endpoint.ts'
import type { Question } from '#contract/questions.ts'
import type { Db } from '#server/db/connect.ts'
import { requireAuthor, requireReader } from '#server/checks/access.ts'
import {
  findCheck,
  storeAttempt,
  toStanding,
  type CheckRow,
  type Chosen,
} from '#server/checks/store.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { invalidField, notFound, Refusal } from '#server/kernel/errors.ts'

interface Needs {
  readonly db: Db
  readonly clock: Clock
}

/** What a lesson asks, without what is right. @throws Refusal 404, 403 where it is locked */
export async function showCheck({ db }: Pick<Needs, 'db'>, viewer: Viewer, lessonId: number) {
  return toSelfCheck(requireReader(viewer, await findCheck(db, lessonId, viewer.id)))
}

/**
 * Judges an attempt, counts and keeps it.
 * @throws Refusal 404 where there is no such lesson or it never asked anything, 403 where it is locked, 409 with the new
 * questions where these are others by now, 400 where an answer is none of theirs
 */
export async function takeCheck(
  { db, clock }: Needs,
  viewer: Viewer,
  { lessonId, answers, revision }: ParsedOf<typeof checks.take>,
): Promise<Taken> {
  const row = requireReader(viewer, await findCheck(db, lessonId, viewer.id))
  if (row.revision === 0) throw notFound('checkNotFound')
  if (revision !== undefined && revision !== row.revision) throw changedMeanwhile(row)
  const fits = doFit(row.questions, answers)
  if (!fits && revision === undefined) throw changedMeanwhile(row)
  // Without questions there is nothing to pass.
  if (!fits || answers.length === 0) throw invalidField('answers', 'checkInvalid')
  const right = row.questions.map((question, place) => isRight(question, answers[place] ?? []))
  const standing = await storeAttempt(db, {
    userId: viewer.id,
    lessonId,
    revision: row.revision,
    answers,
    right: right.filter(Boolean).length,
    chosen: row.questions.flatMap((question, place) =>
      question.answers.map((_, at) => (answers[place]?.includes(at) === true ? 1 : 0)),
    ),
    rightly: right.map(Number),
    at: clock.now(),
  })
  if (standing === null)
    throw changedMeanwhile(requireReader(viewer, await findCheck(db, lessonId, viewer.id)))
  return {
    revision: row.revision,
    right,
    rightAnswers: row.questions.map(placesOfRight),
    explanations: row.questions.map(({ explanation }) => explanation),
    passed: right.every(Boolean),
    ...toStanding(standing),
  }
}

/** All of it, with what is right. @throws Refusal 404, and 403 for who neither made the lesson nor administers */
export async function readFigures(
  { db }: Pick<Needs, 'db'>,
  viewer: Viewer,
  lessonId: number,
): Promise<CheckFigures> {
  const row = requireAuthor(viewer, await findCheck(db, lessonId, viewer.id))
  const counts = row.chosen.values()
  return {
    revision: row.revision,
    attempts: row.attempts,
    passed: row.passes,
    questions: row.questions.map(({ text, explanation, answers }, place) => ({
      text,
      explanation,
      right: row.rightly[place] ?? 0,
      answers: answers.map((answer) => ({ ...answer, chosen: counts.next().value ?? 0 })),
    })),
  }
}

const placesOfRight = ({ answers }: Question): number[] =>
  answers.flatMap(({ right }, place) => (right ? [place] : []))

/** Exactly the right answers, in whatever order. */
function isRight(question: Question, chosen: readonly number[]): boolean {
  const right = placesOfRight(question)
  return right.length === chosen.length && right.every((place) => chosen.includes(place))
}

/** One list for each question, of answers that it has. */
function doFit(questions: readonly Question[], answers: Chosen): boolean {
  return (
    questions.length === answers.length &&
    questions.every((question, place) =>
      answers[place]?.every((chosen) => chosen < question.answers.length),
    )
  )
}

function toSelfCheck(row: CheckRow): SelfCheck {
  return {
    revision: row.revision,
    questions: row.questions.map((question) => ({
      text: question.text,
      answers: question.answers.map(({ text }) => text),
      several: placesOfRight(question).length > 1,
    })),
    ...toStanding(row),
  }
}

const changedMeanwhile = (row: CheckRow) =>
  new Refusal(409, 'checkChanged', { beside: { check: toSelfCheck(row) } })
