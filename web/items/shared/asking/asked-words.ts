import { CHAT_MESSAGE } from '#contract/limits.ts'
import { lengthOf, normalizeText } from '#contract/measure.ts'

/** Joins the question and a line about the lesson (its title and address) into one chat message. */
export const askedWords = (question: string, about: string): string =>
  `${normalizeText(question)}\n${about}`

/** Returns the maximum length of a question that is sent together with `about`. */
export const roomForQuestion = (about: string): number =>
  CHAT_MESSAGE.max - lengthOf(askedWords('', about))
