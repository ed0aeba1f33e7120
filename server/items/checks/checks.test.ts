import { afterAll, describe, expect, test } from 'vitest'
import { findUnpassedChecks } from '#server/items/checks/unpassed.ts'
import { createTestApp } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { CAPITAL, checksOf, RIVERS } from '#server/testing/learning/self-checks.ts'
import { signUpAll } from '#server/testing/people.ts'
import { setUser } from '#server/testing/rows.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000', WELCOME_POINTS: '50000' })
const { ann, bob, eve } = await signUpAll(app, 'ann', 'bob', 'eve')
const checks = checksOf(app, () => ann)
afterAll(() => app.close())

describe('who', () => {
  test('has not unlocked the lesson leaves no attempt, and a missing lesson has no check', async () => {
    const id = await checks.publish()
    expect((await checks.send(id, { answers: [[1], [0, 2]] }, eve)).status).toBe(403)
    expect((await checks.show(999_999_999, eve)).status).toBe(404)
    expect((await checks.send(999_999_999, { answers: [] }, eve)).status).toBe(404)
    expect((await checks.figuresOf(999_999_999, eve)).status).toBe(404)
    expect((await checks.figures(id)).attempts).toBe(0)
  })
  test('bought the course, administers, owns the lesson, or reads a free preview may take it', async () => {
    const lessons = [await checks.publish()]
    while (lessons.length < 6) lessons.push((await app.publishLesson(ann)).id)
    const [id = 0] = lessons
    const course = await app.publishCourse(ann, { lessons })
    const reader = await app.signUp('reader')
    await done(app, reader, `POST /course/buy/${course.id}`)
    await checks.take(id, [[1], [0, 2]], reader)
    await checks.take(id, [[1], [0, 2]], ann)
    expect((await checks.send(id, { answers: [[1], [0, 2]] }, eve)).status).toBe(403)
    await done(app, ann, `PATCH /course/${course.id}`, formOf({ freePreview: String(id) }))
    await checks.take(id, [[1], [0, 2]], eve)
    expect((await checks.show(id)).status).toBe(401)
  })
  test('is suspended may read the questions but not take the check', async () => {
    const id = await checks.publish()
    const sue = await app.signUp('sue')
    await checks.buy(sue, id)
    await setUser(app, sue, { suspended_at: new Date() })
    expect((await checks.show(id, sue)).body.questions).toHaveLength(2)
    const answer = await checks.send(id, { answers: [[1], [0, 2]] }, sue)
    expect(answer).toMatchObject({ status: 403, body: { type: 'urn:knowledge-bazaar:suspended' } })
  })
})

describe('an attempt', () => {
  test('says what was correct and why, which the questions do not reveal before', async () => {
    const id = await checks.publish()
    await checks.buy(bob, id)
    const before = await checks.show(id, bob)
    expect(before.body).toEqual({
      revision: 1,
      questions: [
        { text: CAPITAL.text, answers: ['Plovdiv', 'Sofia', 'Varna'], several: false },
        { text: RIVERS.text, answers: ['Iskar', 'Vitosha', 'Maritsa', 'Rila'], several: true },
      ],
      best: null,
      last: null,
      passedAt: null,
    })
    expect(await checks.take(id, [[0], [2, 0]], bob)).toMatchObject({
      revision: 1,
      right: [false, true],
      rightAnswers: [[1], [0, 2]],
      explanations: [CAPITAL.explanation, RIVERS.explanation],
      passed: false,
      best: { right: 1, of: 2, revision: 1 },
      last: { right: 1, of: 2, revision: 1 },
      passedAt: null,
    })
    expect((await checks.show(id, bob)).body).toMatchObject({
      last: { right: 1, of: 2 },
      passedAt: null,
    })
  })
  test.each([
    ['some of the right ones', [[1], [0]]],
    ['a wrong one besides', [[1], [0, 1, 2]]],
    ['none', [[1], []]],
  ])('that chose %s is wrong there', async (_, answers) => {
    const id = await checks.publish()
    expect((await checks.take(id, answers, ann)).right).toEqual([true, false])
  })
  test('stores the best, the last and the first pass, and gives no points', async () => {
    const id = await checks.publish()
    await checks.buy(bob, id)
    const balance = async () =>
      (await app.call<{ kbPoints: number }>('GET', '/identity/points', { as: bob })).body.kbPoints
    const points = await balance()
    await checks.take(id, [[0], [0, 2]], bob)
    const passed = await checks.take(id, [[1], [0, 2]], bob)
    expect(passed).toMatchObject({ passed: true, passedAt: expect.any(String) })
    await checks.take(id, [[0], [1]], bob)
    const { best, last, passedAt } = (await checks.show(id, bob)).body
    expect(best).toMatchObject({ right: 2, of: 2 })
    expect(last).toMatchObject({ right: 0, of: 2 })
    expect(passedAt).toBe(passed.passedAt)
    expect(await balance()).toBe(points)
  })
  test('with answers that do not exist is refused and not counted', async () => {
    const id = await checks.publish()
    for (const answers of [
      undefined,
      'all',
      [1, 2],
      [['1'], [0]],
      [[-1], [0]],
      [[0.5], [0]],
      [[6], [0]],
      [[1, 1], [0]],
      [[0], [0], [0], [0], [0], [0]],
    ]) {
      const { status, body } = await checks.send(id, { answers, revision: 1 }, ann)
      expect(status, JSON.stringify(answers)).toBe(400)
      expect(JSON.stringify(body)).not.toContain('Because')
    }
    for (const answers of [[[1]], [[3], [0]], []])
      expect((await checks.send(id, { answers, revision: 1 }, ann)).status).toBe(400)
    for (const revision of [0, -1, 'x', 1e20])
      expect((await checks.send(id, { answers: [[1], [0, 2]], revision }, ann)).status).toBe(400)
    expect((await checks.figures(id)).attempts).toBe(0)
  })
  test('at a lesson without questions is 404', async () => {
    const { id } = await app.publishLesson(ann)
    expect((await checks.show(id, ann)).body).toMatchObject({ revision: 0, questions: [] })
    expect((await checks.send(id, { answers: [] }, ann)).status).toBe(404)
  })
})

test('the author sees how often each answer was chosen', async () => {
  const id = await checks.publish()
  await checks.buy(bob, id)
  await checks.take(id, [[0], [0, 2]], bob)
  await checks.take(id, [[1], [0, 1]], bob)
  await checks.take(id, [[1], [0, 2]], ann)
  expect(await checks.figures(id)).toEqual({
    revision: 1,
    attempts: 3,
    passed: 1,
    questions: [
      {
        text: CAPITAL.text,
        explanation: CAPITAL.explanation,
        right: 2,
        answers: [
          { text: 'Plovdiv', right: false, chosen: 1 },
          { text: 'Sofia', right: true, chosen: 2 },
          { text: 'Varna', right: false, chosen: 0 },
        ],
      },
      {
        text: RIVERS.text,
        explanation: RIVERS.explanation,
        right: 2,
        answers: [
          { text: 'Iskar', right: true, chosen: 3 },
          { text: 'Vitosha', right: false, chosen: 1 },
          { text: 'Maritsa', right: true, chosen: 2 },
          { text: 'Rila', right: false, chosen: 0 },
        ],
      },
    ],
  })
})

test('fifty concurrent attempts are all counted', async () => {
  const id = await checks.publish()
  await Promise.all(
    Array.from({ length: 50 }, (_, place) => checks.take(id, [[place % 2], [0, 2]], ann)),
  )
  const { attempts, passed, questions } = await checks.figures(id)
  expect([attempts, passed]).toEqual([50, 25])
  expect(questions[0]?.answers.map(({ chosen }) => chosen)).toEqual([25, 25, 0])
})

test('unpassed self-checks are reported by lesson', async () => {
  const [passed, failed, untouched] = [
    await checks.publish(),
    await checks.publish(),
    await checks.publish(),
  ]
  const { id: without } = await app.publishLesson(ann)
  const emptied = await checks.publish()
  await checks.change(emptied, [])
  await checks.take(passed, [[1], [0, 2]], ann)
  await checks.take(passed, [[0], [0, 2]], ann)
  await checks.take(failed, [[0], [0, 2]], ann)
  const lessons = [untouched, without, passed, failed, emptied]
  const { db } = app.app.database
  expect(await findUnpassedChecks(db, ann.session._id, lessons)).toEqual([failed, untouched])
  expect(await findUnpassedChecks(db, eve.session._id, lessons)).toEqual([
    passed,
    failed,
    untouched,
  ])
  expect(await findUnpassedChecks(db, ann.session._id, [])).toEqual([])
})

test('the export contains questions and attempts; an erased account only leaves anonymous counts', async () => {
  const id = await checks.publish()
  const own = await app.call('GET', '/identity/export', { as: ann })
  expect(JSON.stringify(own.body)).toContain(CAPITAL.explanation)
  const kim = await app.signUp('kim')
  await checks.buy(kim, id)
  await checks.take(id, [[0], [0, 2]], kim)
  const { body } = await app.call<{ selfChecks: unknown[] }>('GET', '/identity/export', { as: kim })
  expect(body.selfChecks).toMatchObject([
    { id, attempts: 1, lastRight: 1, lastOf: 2, lastAnswers: [[0], [0, 2]], passedDate: null },
  ])
  expect(JSON.stringify(body)).not.toContain('Because')
  const json = { password: kim.password }
  await done(app, kim, 'POST /identity/erase', json)
  await app.runJobs()
  const of = (table: string) =>
    app.app.database.pool.query(`select 1 from ${table} where user_id = $1`, [kim.session._id])
  expect((await of('check_results')).rows).toEqual([])
  expect((await checks.figures(id)).attempts).toBe(1)
})
