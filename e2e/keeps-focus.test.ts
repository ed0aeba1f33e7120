/** A control that its own press disables must keep the keyboard focus. */
import { expect, test, visit } from './fixtures.ts'
import { publish, register, signIn } from './people.ts'

test('a button that its own press disables keeps the focus', async ({ page, server }) => {
  const learner = await register(server.url)
  const author = await register(server.url)
  const lesson = await publish(server.url, author)
  // Enough for their row on the home page to scroll.
  for (let count = 0; count < 9; count += 1) await publish(server.url, author)
  await page.setViewportSize({ width: 1280, height: 900 })
  await signIn(page, server.url, learner)
  await visit(page, `/lesson/details/${lesson}`)
  const like = page.getByRole('button', { name: /^Liked?$/ })
  await like.press('Enter')
  await expect(like).toHaveText('Liked')
  await expect(like).toBeDisabled()
  await expect(like).toBeFocused()
  await visit(page, '/')
  const next = page.getByRole('button', { name: 'Next' }).first()
  for (let turns = 0; turns < 4 && (await next.isEnabled()); turns += 1) await next.press('Enter')
  await expect(next).toBeDisabled()
  await expect(next).toBeFocused()
  await visit(page, '/profile/notifications')
  await page.getByRole('checkbox').first().click()
  const save = page.getByRole('main').locator('button[type="submit"]')
  await save.press('Enter')
  await expect(save).toBeDisabled()
  await expect(save).toBeFocused()
})
