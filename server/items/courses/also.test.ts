import { afterAll, expect, test } from 'vitest'
import type { AlsoUnlockedCourses } from '#contract/courses.ts'
import { createTestApp, type CourseForm, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { buy } from '#server/testing/learning/items.ts'
import { signUpAll } from '#server/testing/people.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000', WELCOME_POINTS: '5000' })
const ann = await app.signUp('ann')
afterAll(() => app.close())

const also = async (id: number, as?: Person) => {
  const { status, body } = await app.call<AlsoUnlockedCourses>('GET', `/course/also/${id}`, { as })
  return { status, because: body.because, ids: body.courses?.map((course) => course.id) }
}
const unlock = (as: Person, id: number) => buy(app, as, 'course', id)

/** Publishes a course whose lessons all have these tags. */
async function publish(tags: string, change: Partial<CourseForm> = {}): Promise<number> {
  const lessons: number[] = []
  while (lessons.length < 6) lessons.push((await app.publishLesson(ann, { tags })).id)
  return (await app.publishCourse(ann, { ...change, lessons })).id
}

const passAMinute = () => {
  app.clock.time = new Date(app.clock.now().getTime() + 61_000)
}

test('without buyers, courses that share several tags follow, those with most first', async () => {
  const locked = await publish('oboe,reed,wind')
  const [one, both] = [await publish('reed,wind'), await publish('oboe,reed,wind')]
  const newest = await publish('Reed,wind')
  await publish('wind')
  expect(await also(locked)).toMatchObject({ because: 'tags', ids: [both, newest, one] })
})

test('courses that its buyers unlocked come first, without those the reader has or made', async () => {
  const ids: number[] = []
  while (ids.length < 5) ids.push(await publish('kites,strings'))
  const [locked = 0, second = 0, third = 0, fourth = 0, tagged = 0] = ids
  const { bob, carl } = await signUpAll(app, 'bob', 'carl')
  for (const buyer of [bob, carl]) for (const id of [locked, third]) await unlock(buyer, id)
  await unlock(bob, second)
  // Two are a coincidence.
  expect(await also(locked)).toMatchObject({
    because: 'tags',
    ids: [tagged, fourth, third, second],
  })
  await unlock(carl, fourth)
  passAMinute()
  expect(await also(locked)).toMatchObject({ because: 'unlocked', ids: [third, fourth, second] })
  // Cached candidates must not include courses that the viewer has.
  const reader = await app.signUp('dora')
  await unlock(reader, third)
  for (let turn = 0; turn < 2; turn += 1) {
    expect((await also(locked, reader)).ids).toEqual([fourth, second])
    expect((await also(locked, ann)).ids).toEqual([])
    expect((await also(locked)).ids).toEqual([third, fourth, second])
  }
  await done(app, ann, `DELETE /course/${third}`)
  expect((await also(locked)).ids).not.toContain(third)
})

test("what is in the reader's language comes first, and nothing is hidden", async () => {
  const locked = await publish('tongues,words')
  const words = {
    en: { title: 'Six ways to say it', description: 'How people greet each other around here' },
    bg: { title: 'Шест начина', description: 'Как хората се поздравяват наоколо' },
  }
  const bg = await publish('tongues,words', words.bg)
  const en = await publish('tongues,words', words.en)
  const inLanguage = async (language: string) => {
    const { body } = await app.call<AlsoUnlockedCourses>('GET', `/course/also/${locked}`, {
      headers: { 'accept-language': language },
    })
    return body.courses.map(({ id }) => id)
  }
  expect(await inLanguage('bg')).toEqual([bg, en])
  expect(await inLanguage('en')).toEqual([en, bg])
})
