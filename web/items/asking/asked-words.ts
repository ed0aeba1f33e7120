/** What the author of a lesson is sent: the question, and which lesson it is about. */
import { CHAT_MESSAGE } from '#contract/limits.ts'
import { lengthOf, normalizeText } from '#contract/measure.ts'

/** As one message of the chat. `about`: the title and the address of the lesson, in words. */
export const askedWords = (question: string, about: string): string =>
  `${normalizeText(question)}\n${about}`

/** How long a question may be that goes out with these words. */
export const roomForQuestion = (about: string): number =>
  CHAT_MESSAGE.max - lengthOf(askedWords('', about))
