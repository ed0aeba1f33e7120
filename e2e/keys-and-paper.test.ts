/** Touch devices get no keyboard hints, and printed pages have no overlays. */
import type { MessageKey } from '#contract/messages/messages.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { expect, visit } from './fixtures.ts'
import { register } from './people.ts'
import { test } from './plaits.ts'

const PHONE = { viewport: { width: 390, height: 664 }, isMobile: true, hasTouch: true }

test('keyboard hints are only shown with a keyboard', async ({ sit, shelf }) => {
  for (const device of [{}, PHONE]) {
    const page = await sit(shelf.author, device)
    const expectHints = async (...hints: MessageKey[]) => {
      for (const hint of hints)
        await expect(page.getByText(translate('en', hint))).toBeVisible({
          visible: device !== PHONE,
        })
    }
    await visit(page, '/lesson/create')
    await expect(page.locator('.ProseMirror')).toBeVisible()
    await expectHints('editorHelp')
    await visit(page, `/course/details/${shelf.course}`)
    // The hint of the comment field appears with the first valid text.
    await page
      .getByPlaceholder(translate('en', 'commentPlaceholderOwner'))
      .fill('What came up since then')
    await expect(page.getByRole('button', { name: translate('en', 'postComment') })).toBeEnabled()
    await expectHints('courseKeys', 'commentKeys')
  }
})

test('printed pages have no header, dialog or overlay', async ({ sit, server, shelf }) => {
  const page = await sit(await register(server.url), PHONE)
  await visit(page, `/lesson/details/${shelf.lesson}`)
  await expect(page.locator('[data-price-bar]')).toBeVisible()
  await page.getByRole('button', { name: 'Share' }).tap()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  for (const over of [dialog, page.locator('[data-price-bar]'), page.locator('header')])
    await expect(over).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})
