import { afterAll, describe, expect, test } from 'vitest'
import type { Lesson } from '#contract/lessons.ts'
import { createTestApp, lessonForm } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { CAPITAL, checksOf, RIVERS } from '#server/testing/learning/self-checks.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000', WELCOME_POINTS: '50000' })
const ann = await app.signUp('ann')
const checks = checksOf(app, () => ann)
afterAll(() => app.close())

describe('questions are refused at their field', () => {
  const wrong = (change: object) => [CAPITAL, { ...RIVERS, ...change }]
  const answers = (count: number) =>
    Array.from({ length: count }, (_, place) => ({ text: `Answer ${place}`, right: place === 0 }))
  test.each<[string, unknown, string, string]>([
    ['no JSON', '{', 'checks', 'checkQuestionsMs'],
    ['no list', { text: 'Which?' }, 'checks', 'checkQuestionsMs'],
    ['six of them', Array.from({ length: 6 }, () => CAPITAL), 'checks', 'checkQuestionsMs'],
    ['a short question', wrong({ text: ' a ' }), 'checks.1.text', 'questionValMs'],
    ['one answer', wrong({ answers: answers(1) }), 'checks.1.answers', 'checkAnswersMs'],
    ['seven answers', wrong({ answers: answers(7) }), 'checks.1.answers', 'checkAnswersMs'],
    [
      'an answer of 101 letters',
      wrong({ answers: [...answers(2), { text: 'a'.repeat(101), right: false }] }),
      'checks.1.answers.2.text',
      'checkAnswerValMs',
    ],
    [
      'an answer twice',
      wrong({ answers: [...answers(2), { text: ' Answer 1', right: false }] }),
      'checks.1.answers.2.text',
      'checkAnswerTwice',
    ],
    [
      'nothing right',
      wrong({ answers: answers(3).map((answer) => ({ ...answer, right: false })) }),
      'checks.1.right',
      'checkNoRight',
    ],
    ['a question twice', wrong({ text: CAPITAL.text }), 'checks.1.text', 'checkQuestionTwice'],
  ])('%s', async (_, given, field, code) => {
    const { status, body } = await checks.create(given)
    expect(status).toBe(400)
    expect(body).toMatchObject([{ field, code, description: expect.not.stringContaining('{') }])
  })
  test('characters that the database can not store are removed', async () => {
    const id = await checks.publish([{ ...CAPITAL, text: 'Which is\u0000 the \ud800 capital?' }])
    expect((await checks.show(id, ann)).body.questions[0]?.text).toBe(
      'Which is the \ufffd capital?',
    )
  })
})

describe('an edit', () => {
  test('without questions keeps them, even with PUT; an empty list removes them', async () => {
    const id = await checks.publish()
    expect((await checks.edit(id, { title: 'Another title' })).status).toBe(200)
    await done(app, ann, `PUT /lesson/${id}`, await lessonForm())
    expect((await checks.show(id, ann)).body).toMatchObject({ revision: 1 })
    const inside = async () =>
      (await app.call<Lesson>('GET', `/lesson/${id}`)).body.inside.questions
    expect(await inside()).toBe(2)
    await checks.change(id, [])
    expect((await checks.show(id, ann)).body).toMatchObject({ revision: 2, questions: [] })
    await expect.poll(inside).toBe(0)
  })
  test('that is refused changes nothing', async () => {
    const id = await checks.publish()
    expect((await checks.edit(id, { checks: '[]', title: 'a' })).status).toBe(400)
    expect((await checks.edit(id, { checks: '[]', version: '9' })).status).toBe(409)
    expect((await checks.show(id, ann)).body.questions).toHaveLength(2)
  })
})

describe('questions that changed meanwhile', () => {
  test('return 409 with the new ones, and store nothing', async () => {
    const id = await checks.publish()
    await checks.change(id, [RIVERS])
    const stale = { answers: [[1], [0, 2]] }
    for (const json of [stale, { ...stale, revision: 1 }]) {
      const { status, body } = await checks.send(id, json, ann)
      expect(status).toBe(409)
      expect(body.type).toBe('urn:knowledge-bazaar:checkChanged')
      expect(body.check).toMatchObject({ revision: 2, questions: [{ text: RIVERS.text }] })
      expect(JSON.stringify(body)).not.toContain('Because')
    }
    expect((await checks.send(id, { answers: [[0, 2]], revision: 1 }, ann)).status).toBe(409)
    expect((await checks.send(id, { answers: [[0, 2]], revision: 2 }, ann)).status).toBe(200)
    await checks.change(id, [])
    const gone = await checks.send(id, { answers: [[0, 2]], revision: 2 }, ann)
    expect(gone).toMatchObject({ status: 409, body: { check: { questions: [] } } })
    await checks.change(id, [RIVERS])
    // The attempt belongs to the previous questions.
    expect((await checks.send(id, { answers: [[0, 2]], revision: 2 }, ann)).status).toBe(409)
  })
  test('reset the counts; changed explanations do not', async () => {
    const id = await checks.publish()
    await checks.take(id, [[1], [0, 2]], ann)
    await checks.change(id, [{ ...CAPITAL, explanation: 'It has been since 1879.' }, RIVERS])
    expect((await checks.show(id, ann)).body.revision).toBe(1)
    expect((await checks.take(id, [[0], [0, 2]], ann)).explanations[0]).toBe(
      'It has been since 1879.',
    )
    expect((await checks.figures(id)).attempts).toBe(2)
    await checks.change(id, [RIVERS, CAPITAL])
    expect(await checks.figures(id)).toMatchObject({ revision: 2, attempts: 0, passed: 0 })
  })
  test('preserve a pass; best and last refer to the newest ones that were taken', async () => {
    const id = await checks.publish()
    const { passedAt } = await checks.take(id, [[1], [0, 2]], ann)
    await checks.change(id, [CAPITAL, { ...RIVERS, text: 'Which of them are rivers?' }])
    expect((await checks.show(id, ann)).body).toMatchObject({
      revision: 2,
      best: { revision: 1 },
      passedAt,
    })
    expect(await checks.take(id, [[0], [0, 2]], ann)).toMatchObject({
      passed: false,
      best: { right: 1, revision: 2 },
      passedAt,
    })
  })
  test('are never counted as the old ones, even concurrently', async () => {
    const id = await checks.publish()
    const attempts = Array.from({ length: 12 }, () =>
      checks.send(id, { answers: [[1], [0, 2]] }, ann),
    )
    const answers = await Promise.all([
      ...attempts,
      checks.edit(id, { checks: JSON.stringify([RIVERS]) }),
    ])
    expect(
      answers.map(({ status }) => status).filter((status) => ![200, 409].includes(status)),
    ).toEqual([])
    expect(await checks.figures(id)).toMatchObject({ revision: 2, attempts: 0 })
    await checks.take(id, [[0, 2]], ann)
    expect(await checks.figures(id)).toMatchObject({ attempts: 1, questions: [{ right: 1 }] })
  })
})

test('a deleted lesson has no self-check, and its correct answers are gone', async () => {
  const id = await checks.publish()
  await checks.take(id, [[1], [0, 2]], ann)
  await done(app, ann, `DELETE /lesson/${id}`)
  expect((await checks.show(id, ann)).status).toBe(404)
  const { db } = app.app.database
  const left = db.selectFrom('lesson_checks').selectAll().where('lesson_id', '=', id)
  expect(await left.execute()).toEqual([])
})
