/** Typefaces that come late change letters and nothing else: what stands on a page stays where it is. */
import { LOCALES } from '#contract/messages/messages.ts'
import { awake, expect, followRequests, once, test as base } from './fixtures.ts'
import { publish, publishCourse, register } from './people.ts'

/** What a reader does not notice; a row that wraps anew is a hundred times as much. */
const UNSEEN = 0.005

const test = base.extend<{ course: number }>({
  course: once(async ({ url }) => {
    const author = await register(url)
    const lessons: number[] = []
    for (let place = 1; place <= 6; place += 1)
      lessons.push(await publish(url, author, { title: `Letter ${place}` }))
    return publishCourse(url, author, lessons, { freePreview: String(lessons[0]) })
  }),
})

for (const locale of LOCALES)
  for (const width of [390, 1440])
    test(`lists and forms stay where they are when the letters come (${locale}, ${width} wide)`, async ({
      page,
      course,
    }) => {
      await page.setViewportSize({ width, height: 900 })
      await page.route('**/*.woff2', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 600))
        await route.continue()
      })
      await page.addInitScript(() => {
        const moved: number[] = []
        Object.assign(window, { moved })
        new PerformanceObserver((list) => {
          for (const { value } of list.getEntries() as (PerformanceEntry & { value: number })[])
            moved.push(value)
        }).observe({ type: 'layout-shift', buffered: true })
      })
      const jumps: Record<string, number> = {}
      for (const path of [
        '/lesson/all',
        '/lesson/all?free=1',
        '/course/all',
        `/course/details/${course}`,
        '/search?q=nothing-such',
        '/login',
        '/register',
        '/email/confirm',
      ]) {
        const settled = followRequests(page)
        await page.goto(`${path}${path.includes('?') ? '&' : '?'}lang=${locale}`)
        await awake(page)
        await settled()
        await page.evaluate(() => document.fonts.ready)
        expect(await page.evaluate(() => document.fonts.check('1rem "Sofia Sans"'))).toBe(true)
        const sum = await page.evaluate(() =>
          (window as unknown as { moved: number[] }).moved.reduce((all, one) => all + one, 0),
        )
        if (sum > UNSEEN) jumps[path] = sum
      }
      expect(jumps).toEqual({})
    })
