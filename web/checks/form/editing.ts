/** Steps of who writes questions: each answers another list and leaves the old one as it is. */
import type { Question } from '#contract/questions.ts'

export type Answer = Question['answers'][number]

const NO_ANSWER: Answer = { text: '', right: false }
/** As many answers as a question has at least. */
const NEW: Question = { text: '', answers: [NO_ANSWER, NO_ANSWER], explanation: '' }

/** An empty question. */
export const newQuestion = (): Question => structuredClone(NEW)

/** An empty answer, which is not right. */
export const newAnswer = (): Answer => ({ ...NO_ANSWER })

/** The list with another item at a place. */
export const withItem = <T>(list: readonly T[], place: number, item: T): T[] =>
  list.map((old, at) => (at === place ? item : old))

/** The list without the item at a place. */
export const without = <T>(list: readonly T[], place: number): T[] =>
  list.filter((_, at) => at !== place)

/** The list with one more item at a place. */
export const inserted = <T>(list: readonly T[], place: number, item: T): T[] =>
  list.toSpliced(place, 0, item)

/** The list with an item moved to another place. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const item = list[from]
  return item === undefined ? [...list] : inserted(without(list, from), to, item)
}

/** Whether somebody has written anything into a question. */
export const isBegun = ({ text, answers, explanation }: Question): boolean =>
  [text, explanation, ...answers.map((answer) => answer.text)].some((words) => words.trim() !== '')
