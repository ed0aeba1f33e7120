/** The self-check as authors write it. It contains the correct answers, so only authors may receive it. */
import * as z from 'zod/mini'
import { line, text } from '#contract/fields.ts'
import {
  CHECK_ANSWER,
  CHECK_ANSWERS,
  EXPLANATION,
  MOST_QUESTIONS,
  QUESTION,
} from '#contract/limits.ts'
import { squeeze } from '#contract/measure.ts'
import { message } from '#contract/message.ts'

/** Cyrillic, Greek and other characters, and the Latin ones that look the same. */
const ALIKE: readonly (readonly [characters: string, like: string])[] = [
  ['аеорсухіјѕһԁԛԝѵοϲϳ', 'aeopcyxijshdqwvocj'],
  ['АВЕКМНОРСТУХІЈЅԌ', 'ABEKMHOPCTYXIJSG'],
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
  ['\u2010\u2011\u00b5ǃ', '--μ!'],
]
const LIKE = new Map(
  ALIKE.flatMap(([characters, like]) =>
    Array.from(characters, (character, place) => [character, like[place] ?? character] as const),
  ),
)

/** Returns one key for all texts that look the same. Case and accents matter. Never shown. */
export function lookOf(text: string): string {
  const seen = squeeze(text.normalize('NFD'))
  return Array.from(seen, (character) => LIKE.get(character) ?? character).join('')
}

const answersError = message('checkAnswersMs', { ...CHECK_ANSWERS })
const mostError = message('checkQuestionsMs', { max: MOST_QUESTIONS })

const GivenAnswer = z.object({
  text: line(CHECK_ANSWER, 'checkAnswerValMs'),
  right: z.boolean({ error: 'checkNoRight' }),
})

/** Reports at `right` that no answer is correct, and at an answer that another one looks the same. */
export const Question = z
  .object({
    text: text(QUESTION, 'questionValMs'),
    answers: z
      .array(GivenAnswer, { error: answersError })
      .check(
        z.minLength(CHECK_ANSWERS.min, { error: answersError }),
        z.maxLength(CHECK_ANSWERS.max, { error: answersError }),
      ),
    explanation: text(EXPLANATION, 'explanationValMs'),
  })
  .check(({ value, issues }) => {
    const refuse = (error: string, ...path: (string | number)[]) =>
      issues.push({ code: 'custom', input: value, path, message: error })
    if (!value.answers.some(({ right }) => right)) refuse('checkNoRight', 'right')
    const texts = value.answers.map((answer) => lookOf(answer.text))
    for (const [place, answer] of texts.entries())
      if (texts.indexOf(answer) < place) refuse('checkAnswerTwice', 'answers', place, 'text')
  })
export type Question = z.output<typeof Question>

/** In the order in which they are asked. */
export const Questions = z
  .array(Question, { error: mostError })
  .check(z.maxLength(MOST_QUESTIONS, { error: mostError }), ({ value, issues }) => {
    const texts = value.map((question) => lookOf(question.text))
    for (const [place, asked] of texts.entries()) {
      const path = [place, 'text']
      if (texts.indexOf(asked) < place)
        issues.push({ code: 'custom', input: value, path, message: 'checkQuestionTwice' })
    }
  })

/** As JSON, because form fields are strings. */
export const QuestionsField = z.pipe(
  z.pipe(
    z.string({ error: mostError }),
    z.transform((json, context) => {
      try {
        return JSON.parse(json, storable) as unknown
      } catch {
        context.issues.push({ code: 'custom', message: mostError, input: json })
        return z.NEVER
      }
    }),
  ),
  Questions,
)

/** JSON escapes can hide characters that the database can't store. */
const storable = (_: string, value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value
