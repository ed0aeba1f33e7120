/** What is pressed while its script, or the page that it leads to, is still on the way is done: at once, or then. */
import { awake, expect, holdBack, test } from './fixtures.ts'
import { publish, register } from './people.ts'

const WIDE = { width: 1440, height: 900 }

test('an arrow of a row that is pressed before the page lives turns it then', async ({
  page,
  server,
}) => {
  const author = await register(server.url)
  for (let lessons = 0; lessons < 5; lessons += 1) await publish(server.url, author)
  await page.setViewportSize(WIDE)
  const wake = await holdBack(page, '**/*.js')
  await page.goto('/', { waitUntil: 'commit' })
  const row = page.getByRole('region', { name: 'Most watched lessons' })
  await row.getByRole('button', { name: 'Next' }).click()
  await expect(row.getByText('1 of 2', { exact: true })).toBeVisible()
  wake()
  await expect(row.getByText('2 of 2', { exact: true })).toBeVisible()
  await expect(row.getByRole('article').last()).toBeInViewport()
})

test('a filter that is pressed before the page lives is a link', async ({ page, server }) => {
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

test('a link that is pressed before the table of pages is there leads on once it is', async ({
  page,
}) => {
  const release = await holdBack(page, '**/routes-*.js')
  await page.goto('/about')
  await awake(page)
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click()
  await expect(page).toHaveURL('/about')
  release()
  await expect(page).toHaveURL('/privacy-policy')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Privacy')
})

test('where the table of pages cannot be had, the frame stays and offers another try', async ({
  page,
}) => {
  await page.route('**/routes-*.js', (route) => route.abort())
  await page.goto('/about')
  await awake(page)
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click()
  await expect(page.getByRole('main').getByRole('button', { name: 'Try again' })).toBeVisible()
  await expect(page.getByRole('banner')).toBeVisible()
  await expect(page.getByRole('contentinfo')).toBeVisible()
  await page.unroute('**/routes-*.js')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Privacy')
})
