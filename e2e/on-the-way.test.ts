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

test('who asks for another link to a new password finds their address in the form', async ({
  page,
}) => {
  await page.goto('/password/forgot')
  await awake(page)
  const step = page.getByRole('button', { name: 'Mail me a link' })
  await expect(step).toBeDisabled()
  await page.getByLabel('E-mail').fill('nobody@people.example')
  await page.getByLabel('E-mail').press('Enter')
  const sent = page.getByRole('heading', { level: 1, name: 'Look into your mailbox' })
  await expect(sent).toBeFocused()
  await page.getByRole('link', { name: 'Try another address' }).click()
  await expect(page.getByLabel('E-mail')).toHaveValue('nobody@people.example')
  await expect(step).toBeEnabled()
})
