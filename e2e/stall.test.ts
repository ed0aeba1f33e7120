/**
 * Tests the front page of signed-in people: three first steps, what to continue, new items, and the week's
 * numbers.
 */
import { expect, once, test as base, unlock, visit, writePicture } from './fixtures.ts'
import { publishShelf, register, type Shelf } from './people.ts'
import { publishByForm } from './publish-by-form.ts'

const test = base.extend<{ stall: Shelf }>({
  stall: once(({ url }) => publishShelf(url, 'Weaving', { count: 7, preview: 1 })),
})

test('a new person completes the three steps and then has the usual front page', async ({
  page,
  server,
  stall,
}, info) => {
  // Guests see another page.
  await visit(page, '/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('main section[aria-labelledby^=stall-]')).toHaveCount(0)

  await page.context().addCookies([(await register(server.url)).cookie])
  await visit(page, '/')
  const steps = page.getByRole('region', { name: 'Three steps to get started' })
  await expect(steps.getByRole('link')).toHaveText([
    'Read a free lesson',
    'Publish your first lesson',
    'Unlock somebody else’s',
  ])
  await expect(steps).toContainText('0 KB Points')
  await expect(steps).toContainText('+100')
  await expect(page.getByRole('region', { name: 'Free to open' })).toBeVisible()
  await steps.getByRole('link', { name: 'Read a free lesson' }).click()
  await expect(page).toHaveURL(/free=1/)
  const opened = page.waitForResponse(`**/api/progress/${stall.lessons[0]}`)
  await page
    .getByRole('article')
    .filter({ hasText: 'Weaving 1' })
    .getByRole('link', { name: 'Details' })
    .click()
  await expect(page).toHaveURL(`/lesson/details/${stall.lessons[0]}`)
  await expect(page.getByText(/^w\d+x0 /)).toBeVisible()
  expect((await opened).status()).toBe(204)
  await expect(async () => {
    await visit(page, '/')
    await expect(steps.getByRole('link')).toHaveText(
      ['Publish your first lesson', 'Unlock somebody else’s'],
      { timeout: 1000 },
    )
  }).toPass()
  await steps.getByRole('link', { name: 'Publish your first lesson' }).click()
  await publishByForm(page, await writePicture(info.outputDir), { video: 'firststepen' })
  await visit(page, '/')
  await expect(steps.getByRole('link')).toHaveText(['Unlock somebody else’s'])
  await visit(page, `/lesson/details/${stall.lessons[6]}`)
  await unlock(page, 100)
  // The page reports the visit to the server after it shows the text.
  const reported = page.waitForResponse(`**/api/progress/${stall.lessons[6]}`)
  await page.getByRole('link', { name: 'Read it now: Weaving 7' }).click()
  await expect(page.getByText(/^w\d+x0 /)).toBeVisible()
  expect((await reported).status()).toBe(204)
  await visit(page, '/')
  await expect(steps).toHaveCount(0)
  const goOn = page.getByRole('region', { name: 'Pick up where you left off' })
  await expect(goOn.getByRole('listitem')).toHaveText(/Weaving 1/)
  await expect(page.getByRole('region', { name: 'Free to open' })).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  // Suggestions exclude people's own, unlocked and started items. Their own items have no activity yet.
  const picked = page.getByRole('region', { name: 'Picked for you' })
  await expect(picked.getByRole('article').first()).toContainText('Because ')
  await expect(picked.getByRole('heading', { name: /Weaving [17]/ })).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'At your stall this week' })).toHaveCount(0)
  await goOn.getByRole('link', { name: 'Continue: Weaving 7' }).click()
  await expect(page.getByText(/^w\d+x0 /)).toBeVisible()
})
