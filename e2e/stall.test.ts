/** The front page of the signed-in: three steps for who is new, then where to go on, what is new, and one's own week. */
import { findings } from './axe.ts'
import { expect, test as base, visit } from './fixtures.ts'
import { publish, publishCourse, register, type Registered } from './people.ts'

interface Stall {
  readonly author: Registered
  readonly lessons: readonly number[]
}

const test = base.extend<object, { stall: Stall }>({
  stall: [
    async ({ server }, use) => {
      const author = await register(server.url)
      const lessons: number[] = []
      for (let place = 1; place <= 7; place += 1)
        lessons.push(await publish(server.url, author, { title: `Weaving ${place}` }))
      await publishCourse(server.url, author, lessons.slice(0, 6), {
        title: 'All of weaving',
        freePreview: String(lessons[0]),
      })
      await use({ author, lessons })
    },
    { scope: 'worker' },
  ],
})

test('a new person goes through the three steps, and has a stall then', async ({
  page,
  server,
  stall,
}) => {
  const person = await register(server.url)
  await page.context().addCookies([person.cookie])
  await visit(page, '/')
  const steps = page.getByRole('region', { name: 'Three steps to begin with' })
  await expect(steps.getByRole('link')).toHaveText([
    'Read a free lesson',
    'Publish your first lesson',
    'Unlock somebody else’s',
  ])
  await expect(steps).toContainText('+100')
  expect(await findings(page)).toEqual([])
  await steps.getByRole('link', { name: 'Read a free lesson' }).click()
  await expect(page).toHaveURL(/free=1/)
  await expect(page.getByRole('article')).toHaveCount(1)
  await page.getByRole('article').getByRole('link', { name: 'Details' }).click()
  await expect(page).toHaveURL(`/lesson/details/${stall.lessons[0]}`)
  await expect(page.getByText(/^w\d+x0 /)).toBeVisible()
  await expect(async () => {
    await visit(page, '/')
    await expect(steps.getByRole('link')).toHaveCount(2, { timeout: 1000 })
  }).toPass()
  await publish(server.url, person)
  await visit(page, '/')
  await expect(steps.getByRole('link')).toHaveText(['Unlock somebody else’s'])
  await visit(page, `/lesson/details/${stall.lessons[6]}`)
  await page.getByRole('button', { name: /Unlock for 100/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Unlock for 100/ })
    .click()
  await page.getByRole('link', { name: 'Read it now: Weaving 7' }).click()
  await expect(page.getByText(/^w\d+x0 /)).toBeVisible()
  await visit(page, '/')
  await expect(steps).toHaveCount(0)
  const goOn = page.getByRole('region', { name: 'Continue' })
  await expect(goOn.getByRole('link', { name: 'Weaving 7' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'At your stall this week' })).toBeVisible()
  expect(await findings(page)).toEqual([])
})

test('the author’s week stands there, in Bulgarian on the smallest screen', async ({
  page,
  stall,
}) => {
  await page.context().addCookies([stall.author.cookie])
  await page.setViewportSize({ width: 320, height: 700 })
  await visit(page, '/?lang=bg')
  await expect(page.locator('.own h1')).toHaveCount(1)
  await expect(page.locator('.own .figures li')).toHaveCount(4)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  expect(await findings(page)).toEqual([])
})

test('guests are welcomed as before', async ({ page, stall }) => {
  expect(stall.lessons).toHaveLength(7)
  await visit(page, '/')
  await expect(page.locator('.own')).toHaveCount(0)
  await expect(page.locator('.hero h1')).toBeVisible()
})
