import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { OFFICE } from './pasted-office.ts'
import { WEB } from './pasted-web.ts'
import { register, type Registered } from './people.ts'

interface Pasted {
  readonly text?: string
  readonly html?: string
  readonly file?: { readonly name: string; readonly type: string }
}

async function openEditor(page: Page, person: Registered): Promise<Locator> {
  await page.context().addCookies([person.cookie])
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/lesson/create')
  const editor = page.locator('.ProseMirror')
  await editor.click()
  return editor
}

async function clear(page: Page, editor: Locator): Promise<void> {
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await expect(editor).toHaveText('')
}

/** Copies text to the clipboard and presses the browser's shortcut for pasting. */
async function pressPaste(page: Page, text: string): Promise<void> {
  await page.evaluate((words) => navigator.clipboard.writeText(words), text)
  await page.keyboard.press('ControlOrMeta+v')
}

/** Dispatches a paste, or a drop at the element's beginning. Returns whether the page handled it. */
async function give(target: Locator, kind: 'paste' | 'drop', pasted: Pasted): Promise<boolean> {
  return target.evaluate(
    (box, { kind, text, html, file }) => {
      const data = new DataTransfer()
      if (text !== undefined) data.setData('text/plain', text)
      if (html !== undefined) data.setData('text/html', html)
      if (file !== undefined)
        data.items.add(new File([new Uint8Array(8)], file.name, { type: file.type }))
      const { left, top } = (box.querySelector('p') ?? box).getBoundingClientRect()
      const shared = { bubbles: true, cancelable: true }
      const event =
        kind === 'paste'
          ? new ClipboardEvent('paste', { ...shared, clipboardData: data })
          : new DragEvent('drop', {
              ...shared,
              dataTransfer: data,
              clientX: left + 1,
              clientY: top + 4,
            })
      return !box.dispatchEvent(event)
    },
    { kind, ...pasted },
  )
}

/** Returns the article without the editor's temporary elements. */
async function articleOf(editor: Locator): Promise<string> {
  return editor.evaluate((box) => {
    const article = box.cloneNode(true) as Element
    for (const extra of article.querySelectorAll('.ProseMirror-trailingBreak')) extra.remove()
    for (const element of article.querySelectorAll('*'))
      for (const name of element.getAttributeNames()) element.removeAttribute(name)
    return article.innerHTML.replace(/<p><\/p>$/, '')
  })
}

test('text from other programs keeps its structure, plain text stays plain', async ({
  page,
  server,
}) => {
  const editor = await openEditor(page, await register(server.url))
  await pressPaste(page, 'First line\nsecond line\n\nlast line')
  await expect(editor.locator('p')).toHaveText(['First line', 'second line', 'last line'])
  await page.keyboard.press('ControlOrMeta+a')
  await pressPaste(page, 'Instead of it')
  await expect(editor.locator('p')).toHaveText(['Instead of it'])
  await page.keyboard.press('ControlOrMeta+a')
  await pressPaste(page, '# Title\n\n- one\n- two <b>\n\n1. first')
  await expect(editor.locator('p')).toHaveText(['# Title', '- one', '- two <b>', '1. first'])

  const wrong: unknown[] = []
  for (const { source, html, article } of [...OFFICE, ...WEB]) {
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('Delete')
    await give(editor, 'paste', { html, text: html === '' ? '' : 'the same as plain text' })
    const pasted = await articleOf(editor)
    if (pasted !== article) wrong.push({ source, expected: article, pasted })
  }
  expect(wrong).toEqual([])
})

test('an article accepts dropped and cut text, but no pictures and files', async ({
  page,
  server,
}) => {
  const editor = await openEditor(page, await register(server.url))
  await page.keyboard.type('There already')
  expect(await give(editor, 'drop', { text: 'Dropped words ' })).toBe(true)
  await expect(editor).toContainText('Dropped words')
  expect(await give(editor, 'drop', { html: '<p>with <b>weight</b></p>' })).toBe(true)
  await expect(editor.locator('strong')).toHaveText('weight')
  await expect(editor).toContainText('There already')

  await clear(page, editor)
  const noPictures = page.getByText('Articles can’t contain pictures.')
  const noFiles = page.getByText('Articles can’t contain files.')
  await page.keyboard.type('Selected words')
  await page.keyboard.press('ControlOrMeta+a')
  const picture = { name: 'cat.png', type: 'image/png' }
  const table = { name: 'table.pdf', type: 'application/pdf' }
  for (const [kind, pasted, line] of [
    ['paste', { html: '<img src="https://example.org/cat.png">' }, noPictures],
    ['paste', { file: table }, noFiles],
    ['paste', { html: '<img src="https://example.org/cat.png">', file: picture }, noPictures],
    ['drop', { file: table }, noFiles],
    ['drop', { file: picture }, noPictures],
  ] as const) {
    expect(await give(editor, kind, pasted)).toBe(true)
    await expect(line).toBeVisible()
    await expect(editor).toHaveText('Selected words')
  }
  await page.keyboard.type('Others')
  await expect(noPictures).toHaveCount(0)
  await give(editor, 'paste', { html: '<p>Words<img src="https://example.org/cat.png"></p>' })
  await expect(noPictures).toBeVisible()
  await expect(editor).toContainText('Words')

  await clear(page, editor)
  const article =
    '<h2><strong>Bold</strong> head</h2><ul><li><p>one</p></li></ul><pre><code>a  b\n c</code></pre>'
  await give(editor, 'paste', { html: article.replace('<h2>', '<h2 data-pm-slice="0 0 []">') })
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('ControlOrMeta+x')
  await expect(editor).toHaveText('')
  await page.keyboard.press('ControlOrMeta+v')
  await expect(editor.locator('h2 strong')).toHaveText('Bold')
  expect(await articleOf(editor)).toContain('<pre><code>a  b\n c</code></pre>')
  await page.keyboard.press('ControlOrMeta+End')
  await pressPaste(page, '\n  indented')
  await expect(editor.locator('pre').last()).toContainText('\n  indented')
})
