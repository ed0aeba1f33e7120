import { afterAll, expect, test } from 'vitest'
import type { CoursePage } from '#contract/courses.ts'
import type { LessonPage } from '#contract/lessons.ts'
import type { SearchAnswer } from '#contract/search.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { signUpAll } from '#server/testing/people.ts'

const TEXTS = {
  en: { title: 'Knots that hold', description: 'How to tie a rope so that it stays' },
  bg: { title: 'Възли, които държат', description: 'Как се връзва въже, за да не се развърже' },
  other: { title: 'Knoten, die halten', description: 'Wie man zu Hause ein Seil richtig bindet' },
  none: { title: '12345', description: '1234567890 123' },
} as const
const HEARD = ['en', 'bg', 'other'] as const

const lessons = new Map<string, number>()
const courses = new Map<string, number>()

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann, bob } = await signUpAll(app, 'ann', 'bob')
for (const [name, texts] of Object.entries(TEXTS))
  lessons.set(name, (await app.publishLesson(ann, { ...texts, tags: 'Rope' })).id)
afterAll(() => app.close())

/** Creates six lessons in English, which must not appear in the lists below. */
async function six(name: string): Promise<number[]> {
  const made: number[] = []
  while (made.length < 6)
    made.push(
      (await app.publishLesson(bob, { title: `Part ${made.length} of ${name}`, tags: 'part' })).id,
    )
  return made
}

const browse = (query: string, as?: Person) =>
  done<LessonPage>(app, as, `GET /lesson/browse?owner=${ann.session._id}&${query}`)
const find = (query: string) => done<SearchAnswer>(app, undefined, `GET /search?${query}`)

for (const [name, texts] of Object.entries(TEXTS)) {
  const made = await app.publishCourse(bob, { ...texts, lessons: await six(name) })
  courses.set(name, made.id)
}
await app.runJobs()

test('lists in a language go with terms, owners, bands and sorts', async () => {
  for (const language of HEARD) {
    const own = lessons.get(language)
    const query = `language=${language}`
    for (const more of ['', '&sort=likes', '&sort=views&views=0', '&page=1'])
      for (const as of [undefined, bob]) {
        const { items, total } = await browse(query + more, as)
        expect([more, items.map(({ id }) => id), total]).toEqual([more, [own], 1])
      }
    const word = encodeURIComponent(TEXTS[language].title.slice(0, 5))
    const { counts, total } = await browse(`${query}&search=${word}`)
    expect([counts.views.any, counts.likes.any, total]).toEqual([1, 1, 1])
    for (const more of ['likes=3', 'free=1', 'search=1234'])
      expect((await browse(`${query}&${more}`)).total).toBe(0)
  }
})

test('every list without an owner has exactly the items in the language', async () => {
  const read = <Body>(path: string) => done<Body>(app, undefined, `GET ${path}`)
  for (const language of ['bg', 'other'] as const)
    for (const path of [
      '/lesson/all?',
      '/lesson/all?page=1&',
      '/course/all?',
      '/course/all?page=1&',
    ])
      expect(await read(`${path}language=${language}`)).toMatchObject([{ language }])
  const english = await read<LessonPage>('/lesson/browse?language=en&sort=likes')
  expect([english.total, english.counts.likes.any]).toEqual([25, 25])
  const found = await read<CoursePage>('/course/browse?language=bg&sort=comments')
  expect(found.items.map(({ id }) => id)).toEqual([courses.get('bg')])
})

test('the search can be filtered by language, and by tag within it', async () => {
  for (const language of HEARD) {
    const all = await find(`q=rope&language=${language}`)
    expect(all.lessons.map(({ id }) => id)).toEqual([lessons.get(language)])
    const tagged = await find(`q=${encodeURIComponent(TEXTS[language].title)}&language=${language}`)
    expect(tagged.courses.map(({ id }) => id)).toEqual([courses.get(language)])
  }
  expect((await find('q=rope')).totals.lessons).toBe(4)
  expect((await find('q=rope&tag=rope&language=bg')).totals).toMatchObject({
    lessons: 1,
    courses: 0,
  })
  expect((await find('q=knots&language=bg')).totals).toMatchObject({ lessons: 0, courses: 0 })
})
