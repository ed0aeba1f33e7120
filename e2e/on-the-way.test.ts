/** Clicks take effect even while the script or the target page is still loading. */
import { expect, holdBack, test, visit } from './fixtures.ts'
import { publish, register } from './people.ts'

test('before hydration a filter is a link, and an arrow of a carousel moves it afterwards', async ({
  page,
  server,
}) => {
  const author = await register(server.url)
  for (let lessons = 0; lessons < 5; lessons += 1) await publish(server.url, author)
  await page.setViewportSize({ width: 1440, height: 1400 })
  const wake = await holdBack(page, '**/*.js')
  await page.goto('/', { waitUntil: 'commit' })
  const row = page.getByRole('region', { name: 'Most-watched lessons' })
  await row.getByRole('button', { name: 'Next' }).click()
  await expect(row.getByText('1 of 2', { exact: true })).toBeVisible()
  const other = await page.context().newPage()
  await holdBack(other, '**/*.js')
  await other.goto('/lesson/all', { waitUntil: 'commit' })
  const likes = other
    .getByRole('group', { name: 'Sort' })
    .getByRole('link', { name: 'Likes', exact: true })
  await likes.click()
  await expect(other).toHaveURL(/sort=likes/)
  await expect(likes).toHaveAttribute('aria-current', 'true')
  wake()
  await expect(row.getByText('2 of 2', { exact: true })).toBeVisible()
  // The arrow may be in view while its cards are below the window.
  await row.evaluate((region) => region.scrollIntoView({ block: 'center' }))
  await expect(row.getByRole('article').last()).toBeInViewport()
})

test('a slow dialog or list page shows that it is loading', async ({ page, server }) => {
  const author = await register(server.url)
  const lesson = await publish(server.url, author)
  for (let lessons = 0; lessons < 10; lessons += 1) await publish(server.url, author)
  const open = await holdBack(page, '**/assets/ShareDialog*.js')
  await visit(page, `/lesson/details/${lesson}`)
  await page.getByRole('button', { name: 'Share', exact: true }).first().click()
  const waits = page.getByText('Loading the page')
  await expect(waits).toBeAttached()
  open()
  await expect(page.getByRole('dialog', { name: /Share/ })).toBeVisible()
  await expect(waits).toHaveCount(0)

  const show = await holdBack(page, '**/api/lesson/browse?*page=2*')
  await visit(page, `/lesson/all?owner=${author.id}`)
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect(page.getByRole('status', { name: 'Loading the lessons' })).toBeAttached()
  show()
  await expect(page.getByRole('article')).toHaveCount(1)
})
