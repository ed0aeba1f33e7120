import { afterAll, describe, expect, test } from 'vitest'
import type { CreatedCourse } from '#contract/courses.ts'
import type { OpenLesson } from '#contract/lessons.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { signUpAll } from '#server/testing/people.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000', WELCOME_POINTS: '5000' })
const ann = await app.signUp('ann')
afterAll(() => app.close())

const idsOf = ({ lessons }: CreatedCourse) => lessons.map(({ id }) => id)
const show = (as: Person | undefined, id: number) => done<OpenLesson>(app, as, `GET /lesson/${id}`)
const comment = (as: Person, id: number) =>
  app.call('POST', `/comment/create/${id}`, { as, json: { text: 'So this is how it is done.' } })
const buyCourse = (as: Person, id: number) => done(app, as, `POST /course/buy/${id}`)
async function edit(courseId: number, change: { lessons?: number[]; freePreview?: number }) {
  const form = new FormData()
  for (const id of change.lessons ?? []) form.append('lessons', `${id}`)
  if (change.freePreview !== undefined) form.set('freePreview', `${change.freePreview}`)
  const { status } = await app.call('PATCH', `/course/${courseId}`, { as: ann, form })
  expect(status).toBe(200)
}
const OPEN = { can: { see: true, buy: false, comment: true }, bought: false }

describe('a free preview', () => {
  test('is open to everybody and commented on by buyers only', async () => {
    const course = await app.publishCourse(ann)
    const [preview = 0, locked = 0] = idsOf(course)
    await edit(course.id, { freePreview: preview })
    await comment(ann, preview)
    const bob = await app.signUp('bob')
    const guest = await show(undefined, preview)
    expect(guest).toMatchObject({ can: { see: true, like: false, buy: false, comment: false } })
    expect(guest.article).toContain('<p>')
    expect(guest.comments.map(({ mine }) => mine)).toEqual([false])
    expect((await app.call('GET', `/comment/lesson/${preview}`)).status).toBe(200)
    expect((await app.call('GET', `/comment/lesson/${locked}`)).status).toBe(401)
    expect(await show(bob, preview)).toMatchObject({
      can: { see: true, buy: true, comment: false },
    })
    expect((await comment(bob, preview)).status).toBe(403)
    expect(await show(undefined, locked)).not.toHaveProperty('article')
  })
  test('closes with another mark and with its course', async () => {
    const course = await app.publishCourse(ann)
    const [first = 0, second = 0] = idsOf(course)
    await edit(course.id, { freePreview: first })
    await edit(course.id, { freePreview: second })
    expect((await show(undefined, first)).can.see).toBe(false)
    expect((await show(undefined, second)).can.see).toBe(true)
    await done(app, ann, `DELETE /course/${course.id}`)
    expect((await show(undefined, second)).can.see).toBe(false)
  })
})

describe('a bought course', () => {
  test('keeps a lesson that leaves it for earlier buyers alone', async () => {
    const course = await app.publishCourse(ann)
    const { early, late } = await signUpAll(app, 'early', 'late')
    await buyCourse(early, course.id)
    const [leaving = 0, ...staying] = idsOf(course)
    const other = (await app.publishLesson(ann)).id
    await edit(course.id, { lessons: [...staying, other] })
    await buyCourse(late, course.id)
    expect(await show(early, leaving)).toMatchObject(OPEN)
    expect(await show(early, other)).toMatchObject(OPEN)
    expect((await comment(early, leaving)).status).toBe(200)
    expect(await show(late, leaving)).toMatchObject({ can: { see: false, buy: true } })
    expect((await comment(late, leaving)).status).toBe(403)
  })
  test('that is deleted and paid back opens nothing', async () => {
    const course = await app.publishCourse(ann)
    const dora = await app.signUp('dora')
    await buyCourse(dora, course.id)
    const [id = 0] = idsOf(course)
    expect((await show(dora, id)).can.see).toBe(true)
    await done(app, ann, `DELETE /course/${course.id}`)
    const closed = await show(dora, id)
    expect(closed).toMatchObject({ can: { see: false, buy: true, comment: false } })
    expect(closed).not.toHaveProperty('video')
    expect((await app.call('GET', `/comment/lesson/${id}`, { as: dora })).status).toBe(403)
  })
})
