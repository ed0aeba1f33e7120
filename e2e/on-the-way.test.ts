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

test('a login that is sent before its rules are there waits for them', async ({ page, server }) => {
  const person = await register(server.url)
  const release = await holdBack(page, '**/LoginRules-*.js')
  await page.goto('/login')
  await awake(page)
  const document = await page.locator('html').elementHandle()
  await page.getByLabel('Username', { exact: true }).fill(person.username)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByLabel('Password', { exact: true }).press('Enter')
  await expect(page.getByRole('button', { name: 'Log in' })).toHaveAttribute('aria-busy', 'true')
  release()
  await expect(page.getByRole('button', { name: `Account of ${person.username}` })).toBeVisible()
  expect(await document?.evaluate((shown) => shown.isConnected)).toBe(true)
})

test('a login whose rules cannot be had is judged by the server', async ({ page, server }) => {
  const person = await register(server.url)
  await page.route('**/LoginRules-*.js', (route) => route.abort())
  await page.goto('/login')
  await awake(page)
  const name = page.getByLabel('Username', { exact: true })
  const password = page.getByLabel('Password', { exact: true })
  await name.fill(person.username)
  await password.fill('another one')
  await password.press('Enter')
  await expect(page.getByRole('alert')).toContainText('The username or the password')
  // It takes the focus when the page lives.
  await awake(page)
  await expect(name).toHaveValue(person.username)
  await password.fill(person.password)
  await password.press('Enter')
  await expect(page.getByRole('button', { name: `Account of ${person.username}` })).toBeVisible()
})

test('a field keeps its text and its caret when the rules come, and they know the text', async ({
  page,
}) => {
  const release = await holdBack(page, '**/LoginRules-*.js')
  await page.goto('/login')
  await awake(page)
  const name = page.getByLabel('Username', { exact: true })
  const field = await name.elementHandle()
  await name.pressSequentially('peko')
  for (let step = 0; step < 2; step += 1) await name.press('ArrowLeft')
  await expect(page.getByText('Still missing')).toHaveCount(0)
  release()
  const reason = page.getByText('Still missing')
  await expect(reason).toContainText('Password')
  await expect(reason).not.toContainText('Username')
  await name.press('n')
  await expect(name).toHaveValue('penko')
  await expect(name).toBeFocused()
  expect(await field?.evaluate((shown) => shown.isConnected)).toBe(true)
})
