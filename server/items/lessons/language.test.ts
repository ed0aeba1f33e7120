import { afterAll, expect, test } from 'vitest'
import type { AlsoUnlocked, LessonCard } from '#contract/lessons.ts'
import { createTestApp, type LessonForm } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { edit } from '#server/testing/learning/items.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const ann = await app.signUp('ann')
afterAll(() => app.close())

const ENGLISH = { title: 'Knots that hold', description: 'How to tie a rope so that it stays' }
const BULGARIAN = {
  title: 'Шевица за начало',
  description: 'Кръстат бод и традиционни мотиви стъпка по стъпка',
}
const publish = async (change: Partial<LessonForm>) => (await app.publishLesson(ann, change)).id
const languageOf = async (id: number) =>
  // Reads as the owner, because guests' responses are cached for some seconds.
  (await app.call<LessonCard>('GET', `/lesson/${id}`, { as: ann })).body.language

test.each([
  ['en', ENGLISH],
  ['bg', BULGARIAN],
  ['other', { title: 'Brot backen', description: 'Wie man zu Hause ein gutes Brot bäckt' }],
  [null, { title: '12345', description: '1234567890 123' }],
])('a lesson is heard as %s, on its page and its card', async (language, texts) => {
  const id = await publish(texts)
  expect(await languageOf(id)).toBe(language)
  const cards = (await app.call<LessonCard[]>('GET', '/lesson/all?page=1', { as: ann })).body
  expect(cards.find((card) => card.id === id)?.language).toBe(language)
})

test('the opening counts towards the language', async () => {
  const short = { title: 'TCP 101', description: 'SYN, SYN-ACK, ACK' }
  const opening = 'Преди да изпрати и един байт, компютърът се ръкува с другия.'
  expect(await languageOf(await publish({ ...short, opening }))).toBe('bg')
})

test('lessons and courses change their language with an edit', async () => {
  const id = await publish(ENGLISH)
  expect(await edit(app, ann, ['lesson', id], BULGARIAN)).toMatchObject({ language: 'bg' })
  const course = await app.publishCourse(ann, BULGARIAN)
  expect(course.language).toBe('bg')
  await edit(app, ann, ['course', course.id], ENGLISH)
  expect(await done(app, ann, `GET /course/${course.id}`)).toMatchObject({ language: 'en' })
})

test("what one reads in comes first among what is recommended, and the others aren't hidden", async () => {
  const bob = await app.signUp('bob')
  const ids: number[] = []
  for (let n = 0; n < 4; n += 1)
    ids.push(
      await publish({ ...BULGARIAN, tags: 'tongues,words' }),
      await publish({ ...ENGLISH, tags: 'tongues,words' }),
    )
  const { db } = app.app.database
  await db.updateTable('lessons').set({ views: 1000 }).where('id', 'in', ids).execute()
  const read = async <Body>(path: string, language: string) =>
    (await app.call<Body>('GET', path, { as: bob, headers: { 'accept-language': language } })).body
  const languages = (cards: readonly LessonCard[]) => cards.map((card) => card.language)
  const first = await publish({ ...ENGLISH, tags: 'tongues,words' })
  for (const [own, other] of [
    ['bg', 'en'],
    ['en', 'bg'],
  ] as const) {
    const four = Array(4).fill(own)
    const also = await read<AlsoUnlocked>(`/lesson/also/${first}`, own)
    expect(languages(also.lessons)).toEqual([...four, ...Array(4).fill(other)])
    for (const query of ['', `?lesson=${first}`]) {
      const cards = await read<LessonCard[]>(`/lesson/recommended${query}`, own)
      expect(languages(cards).slice(0, 4)).toEqual(four)
    }
  }
})
