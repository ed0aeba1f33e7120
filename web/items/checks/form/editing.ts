/** Immutable updates of the questions that an author edits. */
import type { Question } from '#contract/questions.ts'

export type Answer = Question['answers'][number]

const NO_ANSWER: Answer = { text: '', right: false }
/** Starts with the minimum of answers. */
const NEW: Question = { text: '', answers: [NO_ANSWER, NO_ANSWER], explanation: '' }

export const newQuestion = (): Question => structuredClone(NEW)

export const newAnswer = (): Answer => ({ ...NO_ANSWER })

export const withItem = <T>(list: readonly T[], place: number, item: T): T[] =>
  list.map((old, at) => (at === place ? item : old))

export const without = <T>(list: readonly T[], place: number): T[] =>
  list.filter((_, at) => at !== place)

export const inserted = <T>(list: readonly T[], place: number, item: T): T[] =>
  list.toSpliced(place, 0, item)

export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const item = list[from]
  return item === undefined ? [...list] : inserted(without(list, from), to, item)
}

/** Whether any text was entered. */
export const isBegun = ({ text, answers, explanation }: Question): boolean =>
  [text, explanation, ...answers.map((answer) => answer.text)].some((words) => words.trim() !== '')
