/** The questions of a lesson, as its author changes them: part of the transaction that writes the lesson. */
import type { Question } from '#contract/questions.ts'
import type { Tx } from '#server/db/connect.ts'
import { lockQuestions, putExplanations, putQuestions } from '#server/checks/store.ts'

/**
 * Stores the questions of a lesson that the transaction has made or locked. Other questions are a new revision, which
 * is counted from nothing; the same ones with other explanations are not, and without any change nothing is written.
 */
export async function writeQuestions(
  tx: Tx,
  lessonId: number,
  questions: readonly Question[],
): Promise<void> {
  const stored = (await lockQuestions(tx, lessonId))?.questions ?? []
  if (isJudgedAlike(stored, questions)) {
    const isSame = questions.every(
      ({ explanation }, place) => explanation === stored[place]?.explanation,
    )
    if (!isSame) await putExplanations(tx, lessonId, questions)
  } else await putQuestions(tx, lessonId, questions)
}

/** Whether an attempt at the one would be judged the same at the other, and meant the same. */
function isJudgedAlike(stored: readonly Question[], wanted: readonly Question[]): boolean {
  const judged = (questions: readonly Question[]) =>
    JSON.stringify(
      questions.map(({ text, answers }) => [
        text,
        answers.map((answer) => [answer.text, answer.right]),
      ]),
    )
  return judged(stored) === judged(wanted)
}
