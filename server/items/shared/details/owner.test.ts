import { afterAll, expect, test } from 'vitest'
import type { Course } from '#contract/courses.ts'
import type { AuthorRecord } from '#contract/items.ts'
import type { Lesson } from '#contract/lessons.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { buy } from '#server/testing/learning/items.ts'
import { signUpAll } from '#server/testing/people.ts'
import { setUser } from '#server/testing/rows.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000', WELCOME_POINTS: '5000' })
const { bob, carl, eve } = await signUpAll(app, 'bob', 'carl', 'eve')
afterAll(() => app.close())

async function recordOf(path: string, as?: Person): Promise<AuthorRecord | undefined> {
  const item = await done<Lesson | Course>(app, as, `GET ${path}`)
  return 'author' in item ? item.author : undefined
}
async function rate(as: Person, id: number, stars: number) {
  await buy(app, as, 'lesson', id)
  await done(app, as, `PUT /progress/${id}`, { opened: true })
  await done(app, as, `PUT /rating/lesson/${id}`, { stars })
}
const passASecond = () => {
  app.clock.time = new Date(app.clock.now().getTime() + 1001)
}

test('a new author has published, and that is all', async () => {
  const ann = await app.signUp('ann')
  const { id, date } = await app.publishLesson(ann, { tags: 'bread' })
  for (const as of [undefined, bob])
    expect(await recordOf(`/lesson/${id}`, as)).toEqual({
      since: date,
      tags: [],
      unlocks: 0,
      rating: null,
    })
})

test('an author has what their living items share, how often these were unlocked, and a rating from three on', async () => {
  const dora = await app.signUp('dora')
  const first = await app.publishLesson(dora, { tags: 'Хляб,oven' })
  const [second, third] = [
    await app.publishLesson(dora, { tags: 'хляб,oven,spring' }),
    await app.publishLesson(dora, { tags: 'ХЛЯБ,spring,yeast' }),
  ]
  for (let count = 0; count < 4; count += 1) await app.publishLesson(dora, { tags: `t${count}` })
  const path = `/lesson/${third.id}`
  // Two of seven lessons are fewer than a third.
  const record = { since: first.date, tags: ['хляб'], unlocks: 0, rating: null }
  expect(await recordOf(path, bob)).toEqual(record)
  await rate(bob, first.id, 5)
  await rate(carl, first.id, 4)
  expect(await recordOf(path, bob)).toEqual({ ...record, unlocks: 2 })
  await rate(carl, second.id, 4)
  const course = await app.publishCourse(dora)
  await buy(app, eve, 'course', course.id)
  passASecond()
  // Six of the thirteen lessons belong to the course.
  const grown = { ...record, tags: ['testing'], unlocks: 4, rating: 4.3 }
  for (const as of [undefined, bob]) {
    expect(await recordOf(path, as)).toEqual(grown)
    expect(await recordOf(`/course/${course.id}`, as)).toEqual(grown)
  }
  const open: [string, Person][] = [
    [`/lesson/${first.id}`, bob],
    [path, dora],
    [`/course/${course.id}`, eve],
    [`/course/${course.id}`, dora],
  ]
  for (const [page, as] of open) expect(await recordOf(page, as), page).toBeUndefined()
  // A suspension must not be visible here.
  await setUser(app, dora, { suspended_at: app.clock.now() })
  expect(await recordOf(path, bob)).toEqual(grown)
  await setUser(app, dora, { suspended_at: null })
  await done(app, dora, `DELETE /lesson/${first.id}`)
  expect(await recordOf(path, bob)).toMatchObject({
    since: second.date,
    unlocks: 2,
    rating: null,
  })
})
