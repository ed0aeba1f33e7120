/** Every text and number that people send to items, chats and moderators, at its bounds. */
import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { chat } from '#contract/chat.ts'
import { checks } from '#contract/checks.ts'
import { comments } from '#contract/comments.ts'
import { CourseEdit } from '#contract/course-forms.ts'
import { Ids } from '#contract/fields.ts'
import { flags } from '#contract/flags.ts'
import { LessonEdit } from '#contract/lesson-forms.ts'
import * as limits from '#contract/limits.ts'
import { Letter } from '#contract/mail.ts'
import { notes } from '#contract/notes.ts'
import { progress } from '#contract/progress.ts'
import { Question } from '#contract/questions.ts'
import { ratings } from '#contract/ratings.ts'

const letter = { senderEmail: 'a@people.example', topic: 'A question', emailText: 'x'.repeat(30) }
const answers = [
  { text: 'Sofia', right: true },
  { text: 'Varna', right: false },
]
const question = { text: 'Which?', answers, explanation: 'Because' }
const flag = { kind: 'lesson', id: 7, text: 'This is wrong' }

/** Returns the fields with errors. */
const errorsOf = (schema: z.ZodMiniType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ path }) => path[0])

test.each<[string, z.ZodMiniType, object, string, limits.Range]>([
  ['comment', comments.create.input, { lessonId: 1 }, 'text', limits.COMMENT],
  ['changed comment', comments.edit.input, { id: 1 }, 'text', limits.COMMENT],
  ['rating', ratings.rateLesson.input, { id: 1, stars: 5 }, 'text', limits.RATING_TEXT],
  ['answer to a rating', ratings.answer.input, { id: 1 }, 'text', limits.RATING_ANSWER],
  ['note', notes.create.input, { lessonId: 1 }, 'text', limits.NOTE],
  ['changed note', notes.edit.input, { id: 1 }, 'text', limits.NOTE],
  ['report', flags.create.input, flag, 'text', limits.FLAG_TEXT],
  ['message', chat.create.input, { receiverUsername: 'bob' }, 'text', limits.CHAT_MESSAGE],
  ['topic', Letter, letter, 'topic', limits.TOPIC],
  ['letter', Letter, letter, 'emailText', limits.MAIL_TEXT],
  ['title', LessonEdit, { id: 1 }, 'title', limits.TITLE],
  ['description', LessonEdit, { id: 1 }, 'description', limits.DESCRIPTION],
  ['opening', LessonEdit, { id: 1 }, 'opening', limits.OPENING],
  ["course's title", CourseEdit, { id: 1 }, 'title', limits.TITLE],
  ["course's description", CourseEdit, { id: 1 }, 'description', limits.DESCRIPTION],
  ["administrator's reason", CourseEdit, { id: 1 }, 'reason', limits.REASON],
  ['question', Question, question, 'text', limits.QUESTION],
  ['explanation', Question, question, 'explanation', limits.EXPLANATION],
])('the bounds of a %s', (_, schema, rest, field, { min, max }) => {
  const errors = (text: unknown) => errorsOf(schema, { ...rest, [field]: text })
  for (const text of ['a'.repeat(min), ` ${'😀'.repeat(max)}\n`])
    expect(errors(text)).toBeUndefined()
  expect([errors('😀'.repeat(max + 1)), errors(5)]).toEqual([[field], [field]])
  // An empty text may mean that there is none.
  if (min > 1) expect(errors(` ${'a'.repeat(min - 1)}\n`)).toEqual([field])
})

test.each<[string, z.ZodMiniType, object, readonly unknown[]]>([
  ['stars', ratings.rateLesson.input, { id: 1 }, [0, 6, 2.5, -1, '5', null, undefined]],
  ['seconds', progress.report.input, { lessonId: 1, opened: true }, [-1, '12', null]],
  ['furthest', progress.report.input, { lessonId: 1, opened: true }, [-0.5]],
  ['opened', progress.report.input, { lessonId: 1, seconds: 1 }, ['yes']],
  ['ago', progress.report.input, { lessonId: 1, opened: true }, [-1, 1e15]],
  ['second', notes.create.input, { lessonId: 1, text: 'Here' }, [-1, '5', null]],
  ['kind', flags.create.input, flag, ['picture', 5]],
  ['id', flags.create.input, flag, ['x', -1, 1e20]],
  ['text', notes.create.input, { lessonId: 1 }, ['', ' \n ', '\u200b']],
  ['answers', checks.take.input, { lessonId: 1 }, [[[6]], [[0.5]], [['1']], [[1, 1]], [1, 2]]],
])('a bad value of %s is refused at its field', (field, schema, rest, values) => {
  for (const value of values) {
    const errors = errorsOf(schema, { ...rest, [field]: value })
    expect([value, ...new Set(errors)]).toEqual([value, field])
  }
})

test('a batch has 1 to 100 ids', () => {
  const isBatch = (ids: readonly unknown[]) => Ids.safeParse(ids).success
  expect([isBatch([7]), isBatch(Array(100).fill(7))]).toEqual([true, true])
  for (const ids of [[], Array(101).fill(7), [7, 'x'], [7, -1], [7, 0.5], [7, null]])
    expect([ids, isBatch(ids)]).toEqual([ids, false])
})
