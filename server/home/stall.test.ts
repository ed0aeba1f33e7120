import { afterAll, expect, test } from 'vitest'
import type { Session } from '#contract/accounts.ts'
import type { Comment } from '#contract/comments.ts'
import type { Stall } from '#contract/home.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { signUpAll } from '#server/testing/people.ts'
import { setUser } from '#server/testing/rows.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000', WELCOME_POINTS: '5000' })
const ann = await app.signUp('ann')
afterAll(() => app.close())

const stallOf = (as: Person) => done<Stall>(app, as, 'GET /home/stall')
const signInAgain = async (person: Person): Promise<Person> => {
  const json = { username: person.session.username, password: person.password }
  return { ...person, session: await done<Session>(app, undefined, 'POST /identity/login', json) }
}
const publish = async (as: Person, tags = 'plain') => (await app.publishLesson(as, { tags })).id
const unlock = (as: Person, id: number, kind = 'lesson') => done(app, as, `POST /${kind}/buy/${id}`)
const comment = async (as: Person, id: number) => {
  const text = 'How long does it have to rest?'
  return (await done<Comment>(app, as, `POST /comment/create/${id}`, { text })).id
}
const look = (as: Person | undefined, id: number) => app.call('GET', `/lesson/${id}`, { as })
const stepsAfter = (as: Person, wanted: Partial<Stall['steps']>) =>
  expect
    .poll(async () => (await stallOf(as)).steps, { timeout: 10_000 })
    .toEqual(expect.objectContaining(wanted))

test('a new person has three steps, each is remembered, and none remain after the last', async () => {
  const course = await app.publishCourse(ann)
  const [free = { id: 0 }, priced = { id: 0 }] = course.lessons
  await done(app, ann, `PATCH /course/${course.id}`, formOf({ freePreview: `${free.id}` }))
  const bob = await app.signUp('bob')
  const none = { readFree: false, published: false, unlocked: false }
  expect((await stallOf(bob)).steps).toEqual(none)
  // Viewing a locked lesson is not a step.
  await look(bob, priced.id)
  await expect.poll(async () => (await stallOf(ann)).week.views).toBe(1)
  expect((await stallOf(bob)).steps).toEqual(none)
  await look(bob, free.id)
  await stepsAfter(bob, { ...none, readFree: true })
  await publish(bob)
  expect((await stallOf(bob)).steps).toEqual({ ...none, readFree: true, published: true })
  await unlock(bob, priced.id)
  expect((await stallOf(bob)).steps).toBeNull()
  expect((await stallOf(ann)).steps, 'who reads what is free of theirs').toEqual({
    ...none,
    published: true,
  })
})

test('an administrator has no first steps', async () => {
  const dora = await app.signUp('dora')
  await setUser(app, dora, { role: 'administrator' })
  expect((await stallOf(dora)).steps).toBeNull()
})

test('the week counts views, unlocks of lessons and courses, and what is unread', async () => {
  const { eve, fay } = await signUpAll(app, 'eve', 'fay')
  expect((await stallOf(eve)).week).toEqual({ views: 0, unlocks: 0, comments: 0, unread: 0 })
  const [lesson, course] = [await publish(eve), await app.publishCourse(eve)]
  await look(fay, lesson)
  await look(undefined, lesson)
  await look(eve, lesson)
  await unlock(fay, lesson)
  await unlock(fay, course.id, 'course')
  await done(app, fay, 'POST /message/create', { receiverUsername: 'eve', text: 'Well made' })
  const week = async () => (await stallOf(eve)).week
  await expect.poll(week).toEqual({ views: 2, unlocks: 2, comments: 0, unread: 1 })
  expect((await stallOf(fay)).week.unlocks).toBe(0)
  const days = async () => {
    const { rows } = await app.app.database.pool.query('select distinct day from owner_view_days')
    return rows.map(({ day }) => day)
  }
  const [today = ''] = await days()
  try {
    for (const [after, seen, known] of [
      [6, 3, true],
      [7, 2, true],
      [9, 3, false],
    ] as const) {
      app.clock.time = new Date(Date.now() + after * DAY_MS)
      await look(undefined, lesson)
      const later = await signInAgain(eve)
      await expect
        .poll(async () => {
          const { views, unlocks } = (await stallOf(later)).week
          return { views, unlocks }
        })
        .toEqual({ views: seen, unlocks: after < 7 ? 2 : 0 })
      await expect.poll(async () => (await days()).includes(today)).toBe(known)
    }
  } finally {
    app.clock.time = null
  }
})

test('a comment is unanswered until its author has written after it', async () => {
  const { gus, hal } = await signUpAll(app, 'gus', 'hal')
  const [one, other] = [await publish(gus), await publish(gus)]
  const waiting = async () => (await stallOf(gus)).week.comments
  for (const id of [one, other]) await unlock(hal, id)
  await comment(gus, one)
  expect(await waiting(), 'their own').toBe(0)
  await comment(hal, one)
  const second = await comment(hal, one)
  await comment(hal, other)
  expect(await waiting()).toBe(3)
  await done(app, hal, `DELETE /comment/delete/${second}`)
  expect(await waiting()).toBe(2)
  await comment(gus, one)
  expect(await waiting()).toBe(1)
})

test('new items state why they are shown', async () => {
  const { kim, lea, max } = await signUpAll(app, 'kim', 'lea', 'max')
  const [held, alike] = [await publish(kim, 'Beekeeping'), await publish(kim, 'beekeeping')]
  const theirs = await publish(kim, 'quiteother')
  for (const id of [held, theirs]) await unlock(lea, id)
  await unlock(max, held)
  const reasonOf = async (id: number) =>
    (await stallOf(max)).fresh.find(({ card }) => card.id === id)?.because
  expect(await reasonOf(alike)).toEqual({ why: 'tag', tag: 'beekeeping' })
  expect(await reasonOf(theirs)).toEqual({ why: 'together', tag: null })
  expect(await reasonOf(held), 'what one has').toBeUndefined()
  const nobody = await app.signUp('nobody')
  const { fresh } = await stallOf(nobody)
  expect(fresh).toHaveLength(8)
  expect(new Set(fresh.map(({ because }) => because.why))).toEqual(new Set(['popular']))
})

test('a free lesson that was started is not new any more', async () => {
  const { ned, ole } = await signUpAll(app, 'ned', 'ole')
  const course = await app.publishCourse(ned)
  const free = course.lessons[0]?.id ?? 0
  await done(app, ned, `PATCH /course/${course.id}`, formOf({ freePreview: `${free}` }))
  for (let n = 0; n < 30; n += 1) await look(undefined, free)
  const isFresh = async () => (await stallOf(ole)).fresh.some(({ card }) => card.id === free)
  await expect.poll(isFresh, { timeout: 10_000 }).toBe(true)
  await done(app, ole, `PUT /progress/${free}`, { opened: true })
  expect((await stallOf(ole)).continue.map(({ id }) => id)).toEqual([free])
  expect(await isFresh()).toBe(false)
})
