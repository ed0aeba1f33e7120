/** Writes a lesson's questions in the transaction that writes the lesson. */
import type { Question } from '#contract/questions.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import { lockQuestions, putExplanations, putQuestions } from '#server/items/checks/store.ts'

/**
 * Stores the questions of a lesson that the transaction has created or locked. Changed questions become a new
 * revision with new counts. Changed explanations don't, and without any change nothing is written.
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

/** Returns true if attempts at both are judged in the same way and mean the same. */
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
