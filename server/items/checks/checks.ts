import type { CheckFigures, checks, SelfCheck, Taken } from '#contract/checks.ts'
import type { ParsedOf } from '#contract/endpoint.ts'
import type { Question } from '#contract/questions.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { requireAuthor, requireReader } from '#server/items/checks/access.ts'
import {
  findCheck,
  storeAttempt,
  toStanding,
  type CheckRow,
  type Chosen,
} from '#server/items/checks/store.ts'
import { holdLesson } from '#server/items/shared/entitlement.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { invalidField, notFound, Refusal } from '#server/kernel/errors.ts'

interface Needs {
  readonly db: Db
  readonly clock: Clock
}

/** Returns a lesson's questions without the correct answers. @throws Refusal 404, 403 when it is locked */
export async function showCheck({ db }: Pick<Needs, 'db'>, viewer: Viewer, lessonId: number) {
  return toSelfCheck(requireReader(viewer, await findCheck(db, lessonId, viewer.id)))
}

/**
 * Judges, counts and stores an attempt.
 * @throws Refusal 404 when there is no such lesson or it never had questions, 403 when it is locked, 409 with the
 * new questions when they have changed, 400 when an answer doesn't exist
 */
export function takeCheck(
  { db, clock }: Needs,
  viewer: Viewer,
  { lessonId, answers, revision }: ParsedOf<typeof checks.take>,
): Promise<Taken> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    // A lesson whose self-check was taken can't be returned, so a return must be over or wait.
    await holdLesson(tx, lessonId)
    const row = requireReader(viewer, await findCheck(tx, lessonId, viewer.id))
    if (row.revision === 0) throw notFound('checkNotFound')
    if (revision !== undefined && revision !== row.revision) throw changedMeanwhile(row)
    const fits = doFit(row.questions, answers)
    if (!fits && revision === undefined) throw changedMeanwhile(row)
    // Without questions there is nothing to take.
    if (!fits || answers.length === 0) throw invalidField('answers', 'checkInvalid')
    const right = row.questions.map((question, place) => isRight(question, answers[place] ?? []))
    const attempts = await storeAttempt(tx, {
      userId: viewer.id,
      lessonId,
      revision: row.revision,
      answers,
      right: right.filter(Boolean).length,
      chosen: row.questions.flatMap((question, place) =>
        question.answers.map((_, answer) => (answers[place]?.includes(answer) === true ? 1 : 0)),
      ),
      rightly: right.map(Number),
      at,
    })
    if (attempts === null)
      throw changedMeanwhile(requireReader(viewer, await findCheck(tx, lessonId, viewer.id)))
    return {
      revision: row.revision,
      right,
      rightAnswers: row.questions.map(placesOfRight),
      explanations: row.questions.map(({ explanation }) => explanation),
      passed: right.every(Boolean),
      ...toStanding(attempts),
    }
  })
}

/**
 * Returns everything including the correct answers.
 * @throws Refusal 404, and 403 for people who are neither the owner nor an administrator
 */
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

/** Returns true if exactly the correct answers were chosen, in any order. */
function isRight(question: Question, chosen: readonly number[]): boolean {
  const right = placesOfRight(question)
  return right.length === chosen.length && right.every((place) => chosen.includes(place))
}

/** Requires one list per question with existing answers. */
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
  new Refusal(409, 'checkChanged', { extra: { check: toSelfCheck(row) } })
