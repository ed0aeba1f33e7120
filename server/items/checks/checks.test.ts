import { describe, expect, test } from 'vitest'
import { findUnpassedChecks } from '#server/items/checks/unpassed.ts'
import { done } from '#server/testing/http/answers.ts'
import { CAPITAL, checksOf, RIVERS } from '#server/testing/learning/self-checks.ts'
import { signUpAll } from '#server/testing/people.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp({ DAILY_REWARD_LIMIT: '1000', WELCOME_POINTS: '50000' })
const { ann, bob, eve } = await signUpAll(app, 'ann', 'bob', 'eve')
const checks = checksOf(app, () => ann)

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
  test('is wrong where it chose too few answers, too many or none', async () => {
    const id = await checks.publish()
    for (const chosen of [[0], [0, 1, 2], []])
      expect((await checks.take(id, [[1], chosen], ann)).right).toEqual([true, false])
  })
  test('stores the best, the last and the first pass, and gives no points', async () => {
    const id = await checks.publish()
    await checks.buy(bob, id)
    const points = await done(app, bob, 'GET /identity/points')
    await checks.take(id, [[0], [0, 2]], bob)
    const passed = await checks.take(id, [[1], [0, 2]], bob)
    expect(passed).toMatchObject({ passed: true, passedAt: expect.any(String) })
    await checks.take(id, [[0], [1]], bob)
    const { best, last, passedAt } = (await checks.show(id, bob)).body
    expect(best).toMatchObject({ right: 2, of: 2 })
    expect(last).toMatchObject({ right: 0, of: 2 })
    expect(passedAt).toBe(passed.passedAt)
    expect(await done(app, bob, 'GET /identity/points')).toEqual(points)
  })
  test('with answers that do not exist is refused and not counted', async () => {
    const id = await checks.publish()
    for (const answers of [[[1]], [[3], [0]], [], undefined]) {
      const { status, body } = await checks.send(id, { answers, revision: 1 }, ann)
      expect([answers, status]).toEqual([answers, 400])
      expect(JSON.stringify(body)).not.toContain('Because')
    }
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

test('an erased account only leaves anonymous counts', async () => {
  const id = await checks.publish()
  const kim = await app.signUp('kim')
  await checks.buy(kim, id)
  await checks.take(id, [[0], [0, 2]], kim)
  await done(app, kim, 'POST /identity/erase', { password: kim.password })
  await app.runJobs()
  const { db } = app.app.database
  const of = db.selectFrom('check_results').selectAll().where('user_id', '=', kim.session._id)
  expect(await of.execute()).toEqual([])
  expect((await checks.figures(id)).attempts).toBe(1)
})
