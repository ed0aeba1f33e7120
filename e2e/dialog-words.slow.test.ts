/** When the text of a dialog is copied or read by programs, its parts must be separated. */
import type { Locator, Page } from '@playwright/test'
import { LOCALES } from '#contract/messages/messages.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { expect, test, visit } from './fixtures.ts'
import { publish, register, signIn } from './people.ts'

/** Returns pairs of words of different blocks with nothing between them. */
function stuckWords(dialog: Element): string[] {
  const blockOf = (node: Node) => {
    let box = node.parentElement
    while (box !== null && getComputedStyle(box).display.startsWith('inline'))
      box = box.parentElement
    // Buttons are inline outside of flex rows, but never part of a sentence.
    return node.parentElement?.closest('button, a.btn') ?? box
  }
  const texts = document.createTreeWalker(dialog, NodeFilter.SHOW_TEXT)
  const found: string[] = []
  let before: Node | null = null
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const words = node.textContent ?? ''
    if (words === '') continue
    const last = before?.textContent ?? ' '
    if (
      before !== null &&
      /\S$/.test(last) &&
      /^\S/.test(words) &&
      blockOf(before) !== blockOf(node)
    )
      found.push(`${last.slice(-20)}|${words.slice(0, 20)}`)
    before = node
  }
  return found
}

for (const locale of LOCALES) {
  const say = (key: MessageKey, values?: Record<string, string>) => translate(locale, key, values)

  test(`the parts of a dialog are separated in its text (${locale})`, async ({ page, server }) => {
    const author = await register(server.url)
    const learner = await register(server.url)
    const lesson = await publish(server.url, author, { title: 'Knots' })
    for (let count = 0; count < 3; count += 1) await publish(server.url, learner)
    const open = async (at: Page, step: Locator) => {
      await step.click()
      const dialog = at.locator('dialog[open]')
      await expect(dialog).toBeVisible()
      await expect(dialog.getByRole('status')).toHaveCount(0)
      expect(await dialog.evaluate(stuckWords)).toEqual([])
      await at.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
    }
    const address = `/lesson/details/${lesson}?lang=${locale}`
    await signIn(page, server.url, learner)
    await visit(page, address)
    await open(page, page.locator('button[data-kind=pay]').first())
    await open(page, page.getByRole('button', { name: say('report'), exact: true }))
    await signIn(page, server.url, author)
    await visit(page, address)
    await open(page, page.getByRole('button', { name: say('delete'), exact: true }))
    await visit(page, `/profile/update?lang=${locale}`)
    await open(page, page.getByRole('button', { name: say('eraseAsk'), exact: true }))
  })
}
