/** Late fonts must only change the letters and not move anything. */
import { LOCALES } from '#contract/messages/messages.ts'
import { expect, once, test as base } from './fixtures.ts'
import { jumpsOf } from './jumps.ts'
import { publish, publishCourse, register } from './people.ts'

/** The ten tags of a course. They fill two or three rows depending on the width of the letters. */
const TAGS = [
  'физика,астрономия',
  'направи-сам,измерване',
  'опити,светлина',
  'небе,есен',
  'мостове,строителство',
  'физика',
]

const test = base.extend<{ course: number }>({
  course: once(async ({ url }) => {
    const author = await register(url)
    const lessons: number[] = []
    for (const [place, tags] of TAGS.entries())
      lessons.push(await publish(url, author, { title: `Letter ${place + 1}`, tags }))
    return publishCourse(url, author, lessons, { freePreview: String(lessons[0]) })
  }),
})

for (const locale of LOCALES)
  for (const width of [390, 1440])
    test(`late fonts do not move lists and forms (${locale}, ${width} wide)`, async ({
      page,
      course,
    }) => {
      await page.setViewportSize({ width, height: 900 })
      const jumps = await jumpsOf(page, locale, [
        '/lesson/all',
        '/lesson/all?free=1',
        '/course/all',
        `/course/details/${course}`,
        '/search?q=nothing-such',
        '/login',
        '/register',
        '/email/confirm',
      ])
      expect(jumps).toEqual({})
    })
