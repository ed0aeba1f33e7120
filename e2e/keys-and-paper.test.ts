/** Touch devices get no keyboard hints, and printed pages have no overlays. */
import type { Browser, Page } from '@playwright/test'
import type { MessageKey } from '#contract/messages/messages.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { expect, once, test as base, visit } from './fixtures.ts'
import { publish, publishCourse, register, type Registered } from './people.ts'

interface Shelf {
  readonly author: Registered
  readonly lesson: number
  readonly course: number
}

const test = base.extend<{ shelf: Shelf }>({
  shelf: once(async ({ url }) => {
    const author = await register(url)
    const lessons: number[] = []
    for (let place = 1; place <= 7; place += 1)
      lessons.push(await publish(url, author, { title: `Knot ${place}` }))
    const course = await publishCourse(url, author, lessons.slice(0, 6))
    return { author, course, lesson: lessons[6] ?? 0 }
  }),
})

const WRITING = '/lesson/create'
/** Keyboard hints on the lesson form and the course page. */
const HINTS = {
  form: ['editorHelp'],
  course: ['courseKeys', 'commentKeys'],
} as const satisfies Record<string, MessageKey[]>

test('keyboard hints are only shown with a keyboard', async ({ browser, server, shelf }) => {
  for (const touches of [false, true]) {
    const page = await open(browser, server.url, shelf.author, touches)
    const expectHints = async (hints: readonly MessageKey[]) => {
      for (const hint of hints)
        await expect(page.getByText(translate('en', hint))).toBeVisible({ visible: !touches })
    }
    await visit(page, WRITING)
    await expect(page.locator('.ProseMirror')).toBeVisible()
    await expectHints(HINTS.form)
    await visit(page, `/course/details/${shelf.course}`)
    // The hint of the comment field appears with the first valid text.
    await page
      .getByPlaceholder(translate('en', 'commentPlaceholderOwner'))
      .fill('What came up since then')
    await expect(page.getByRole('button', { name: translate('en', 'postComment') })).toBeEnabled()
    await expectHints(HINTS.course)
    await page.context().close()
  }
})

test('printed pages have no header, dialog or overlay', async ({ browser, server, shelf }) => {
  const page = await open(browser, server.url, await register(server.url), true)
  await visit(page, `/lesson/details/${shelf.lesson}`)
  await expect(page.locator('[data-price-bar]')).toBeVisible()
  await page.getByRole('button', { name: 'Share' }).tap()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  for (const over of [dialog, page.locator('[data-price-bar]'), page.locator('header')])
    await expect(over).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.context().close()
})

async function open(
  browser: Browser,
  url: string,
  person: Registered,
  touches: boolean,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: touches ? { width: 390, height: 664 } : { width: 1280, height: 800 },
    isMobile: touches,
    hasTouch: touches,
  })
  const { username, password } = person
  await context.request.post('/api/identity/login', { data: { username, password } })
  return context.newPage()
}
