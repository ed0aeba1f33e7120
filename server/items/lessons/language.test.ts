import { afterAll, expect, test } from 'vitest'
import type { CourseCard } from '#contract/courses.ts'
import type { AlsoUnlocked, LessonCard } from '#contract/lessons.ts'
import { createTestApp, type LessonForm } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'

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

test('an edit in another language changes the language', async () => {
  const id = await publish(ENGLISH)
  const form = new FormData()
  const { version } = (await app.call<{ version: number }>('GET', `/lesson/${id}`, { as: ann }))
    .body
  for (const [name, value] of Object.entries({ id, version, ...BULGARIAN }))
    form.set(name, `${value}`)
  const { status, body } = await app.call<LessonCard>('PATCH', `/lesson/${id}`, { as: ann, form })
  expect([status, body.language]).toEqual([200, 'bg'])
})

test('a course has a language of its own, which follows its edit', async () => {
  const { id } = await app.publishCourse(ann, BULGARIAN)
  const shown = async () =>
    (await app.call<CourseCard>('GET', `/course/${id}`, { as: ann })).body.language
  expect(await shown()).toBe('bg')
  const form = new FormData()
  for (const [name, value] of Object.entries({ id, ...ENGLISH })) form.set(name, `${value}`)
  await done(app, ann, `PATCH /course/${id}`, form)
  expect(await shown()).toBe('en')
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
  const { bg, en } = {
    bg: ['bg', 'bg', 'bg', 'bg', 'en', 'en', 'en', 'en'],
    en: ['en', 'en', 'en', 'en', 'bg', 'bg', 'bg', 'bg'],
  }
  const taste = '/lesson/recommended'
  const inTaste = languages(await read<LessonCard[]>(taste, 'bg'))
  expect(inTaste.slice(0, 4)).toEqual(['bg', 'bg', 'bg', 'bg'])
  expect(new Set(languages(await read<LessonCard[]>(taste, 'en')).slice(0, 4))).toEqual(
    new Set(['en']),
  )
  const first = await publish({ ...ENGLISH, tags: 'tongues,words' })
  const also = `/lesson/also/${first}`
  expect(languages((await read<AlsoUnlocked>(also, 'bg')).lessons)).toEqual(bg)
  expect(languages((await read<AlsoUnlocked>(also, 'en')).lessons)).toEqual(en)
  const suggestions = `${taste}?lesson=${first}`
  expect(languages(await read<LessonCard[]>(suggestions, 'bg')).slice(0, 4)).toEqual(bg.slice(0, 4))
  expect(languages(await read<LessonCard[]>(suggestions, 'en')).slice(0, 4)).toEqual(en.slice(0, 4))
})
