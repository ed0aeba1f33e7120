/** The skeleton of a slow page must have the page's shape: its picture is in the same place. */
import type { Page } from '@playwright/test'
import { awake, expect, holdBack, once, test as base, visit } from './fixtures.ts'
import { publishShelf, type Shelf, signIn } from './people.ts'

const test = base.extend<{ shop: Shelf }>({ shop: once(({ url }) => publishShelf(url, 'Slow')) })

const PICTURE = { open: '[data-player]', locked: 'main [data-book]' }

/** Returns the picture's position on the page in whole pixels. */
async function place(page: Page, selector: string) {
  const box = await page.locator(selector).first().boundingBox()
  if (box === null) throw new Error(`nothing is shown at ${selector}`)
  return { x: Math.round(box.x), y: Math.round(box.y), width: Math.round(box.width) }
}

for (const width of [390, 1440])
  test(`a slow page shows a skeleton of its own shape, ${width} pixels wide`, async ({
    page,
    shop,
  }) => {
    const { author, lesson, course } = shop
    await page.setViewportSize({ width, height: 900 })
    const compare = async (from: string, link: string, picture: string) => {
      await visit(page, from)
      await awake(page)
      const release = await holdBack(page, '**/api/{lesson,course}/*')
      await page.locator(link).first().click()
      const shape = page.locator('[data-shape=cover]').first()
      await expect(shape).toBeVisible()
      const announced = await place(page, '[data-shape=cover]')
      release()
      await expect(page.locator(picture).first()).toBeVisible()
      const shown = await place(page, picture)
      expect(Math.abs(announced.x - shown.x), `${from}: left`).toBeLessThan(24)
      expect(Math.abs(announced.y - shown.y), `${from}: top`).toBeLessThan(48)
      expect(Math.abs(announced.width - shown.width), `${from}: width`).toBeLessThan(48)
    }
    await compare('/lesson/all', `article a[href="/lesson/details/${lesson}"]`, PICTURE.locked)
    await compare(`/lesson/details/${lesson}`, 'main nav a[href="/lesson/all"]', PICTURE.locked)
    await signIn(page, new URL(page.url()).origin, author)
    await compare('/lesson/all', `article a[href="/lesson/details/${lesson}"]`, PICTURE.open)
    await compare('/course/all', `article a[href^="/course/details/${course}"]`, PICTURE.open)
  })
