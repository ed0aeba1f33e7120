/** Clicks take effect even while the script or the target page is still loading. */
import { awake, expect, holdBack, test, visit } from './fixtures.ts'
import { publish, register } from './people.ts'

const WIDE = { width: 1440, height: 1400 }

test('an arrow of a carousel that is pressed before hydration moves it afterwards', async ({
  page,
  server,
}) => {
  const author = await register(server.url)
  for (let lessons = 0; lessons < 5; lessons += 1) await publish(server.url, author)
  await page.setViewportSize(WIDE)
  const wake = await holdBack(page, '**/*.js')
  await page.goto('/', { waitUntil: 'commit' })
  const row = page.getByRole('region', { name: 'Most-watched lessons' })
  await row.getByRole('button', { name: 'Next' }).click()
  await expect(row.getByText('1 of 2', { exact: true })).toBeVisible()
  wake()
  await expect(row.getByText('2 of 2', { exact: true })).toBeVisible()
  // The arrow may be in view while its cards are below the window.
  await row.evaluate((region) => region.scrollIntoView({ block: 'center' }))
  await expect(row.getByRole('article').last()).toBeInViewport()
})

test('a filter that is pressed before hydration is a link', async ({ page, server }) => {
  await publish(server.url, await register(server.url))
  await page.setViewportSize(WIDE)
  await holdBack(page, '**/*.js')
  await page.goto('/lesson/all', { waitUntil: 'commit' })
  const likes = page
    .getByRole('group', { name: 'Sort' })
    .getByRole('link', { name: 'Likes', exact: true })
  await likes.click()
  await expect(page).toHaveURL(/sort=likes/)
  await expect(likes).toHaveAttribute('aria-current', 'true')
})

test('requesting another password link fills in the address', async ({ page }) => {
  await page.goto('/password/forgot')
  await awake(page)
  const step = page.getByRole('button', { name: 'Send me a link' })
  await expect(step).toBeDisabled()
  await page.getByLabel('E-mail').fill('nobody@people.example')
  await page.getByLabel('E-mail').press('Enter')
  const sent = page.getByRole('heading', { level: 1, name: 'Check your e-mail' })
  await expect(sent).toBeFocused()
  await page.getByRole('link', { name: 'Try another address' }).click()
  await expect(page.getByLabel('E-mail')).toHaveValue('nobody@people.example')
  await expect(step).toBeEnabled()
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
