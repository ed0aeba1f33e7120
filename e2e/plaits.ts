/** Seven lessons and a course of six of them, for tests of reading and buying. */
import { once, test as base } from './fixtures.ts'
import { publish, publishCourse, register, type Registered } from './people.ts'

export interface Shelf {
  readonly author: Registered
  /** `Plait 1` to `Plait 7`; the course contains the first six. */
  readonly lessons: readonly number[]
  /** `Plait 1`. */
  readonly lesson: number
  /** `All plaits`. */
  readonly course: number
}

export const test = base.extend<{ shelf: Shelf }>({
  shelf: once(async ({ url }) => {
    const author = await register(url)
    const lessons: number[] = []
    for (let place = 1; place <= 7; place += 1) {
      const paragraphs = Array.from({ length: 30 }, (_, line) => `<p>Strand ${place} ${line}</p>`)
      lessons.push(
        await publish(url, author, {
          title: `Plait ${place}`,
          description: 'Fifty-nine letters that make the head of its page a long one',
          opening: 'The first page of it. '.repeat(12).trim(),
          article: paragraphs.join(''),
        }),
      )
    }
    const course = await publishCourse(url, author, lessons.slice(0, 6), { title: 'All plaits' })
    return { author, lessons, lesson: lessons[0] ?? 0, course }
  }),
})
