/** Tests captions: an author adds them, the transcript follows the video, and a buyer's offer is decided. */
import { expect, overflowOf, test, visit } from './fixtures.ts'
import { call, publish, register, registerBuyer, signIn } from './people.ts'
import { playHere, press } from './player.ts'

/** A file of one line every ten seconds. */
const fileOf = (lines: number, word = 'line') =>
  Array.from({ length: lines }, (_, place) => {
    const time = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(11, 19)},000`
    return `${place + 1}\n${time(place * 10)} --> ${time(place * 10 + 9)}\n${word} ${place} of the video\n`
  }).join('\n')

test('an author adds captions from a file, and a mistake is shown at its line', async ({
  page,
  server,
}) => {
  const author = await register(server.url)
  const lesson = await publish(server.url, author, { title: 'Sourdough' })
  await signIn(page, server.url, author)
  await visit(page, `/lesson/edit/${lesson}`)
  await page.getByRole('link', { name: 'Captions and offers' }).click()
  await expect(page.getByText('This lesson has no captions yet.')).toBeVisible()
  const text = page.getByRole('textbox', { name: 'File or text' })
  const save = page.getByRole('button', { name: 'Save captions' })
  const wrong = fileOf(2).replace('00:00:10,000', '00:00:10')
  await page.locator('input[type=file]').setInputFiles({
    name: 'captions.srt',
    mimeType: 'text/plain',
    buffer: Buffer.from(`\ufeff${wrong}`, 'utf16le'),
  })
  await expect(text).toHaveValue(wrong)
  await save.click()
  await expect(page.getByText('Line 6: the times must look like')).toBeVisible()
  await expect(text).toBeFocused()
  await text.fill(fileOf(2))
  await save.click()
  await expect(page.getByRole('list', { name: 'Captions', exact: true })).toHaveText('English')
  await page.getByRole('button', { name: 'Delete captions: English' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('This lesson has no captions yet.')).toBeVisible()
})

test('the transcript follows the video, jumps, finds words, remembers the language and starts notes', async ({
  page,
  server,
}) => {
  const author = await register(server.url)
  const lesson = await publish(server.url, author, { title: 'Fermenting' })
  for (const [language, word] of [
    ['en', 'line'],
    ['bg', 'ред'],
  ] as const)
    await call(server.url, author, 'PUT', `/caption/${lesson}/${language}`, {
      text: fileOf(120, word),
    })
  await playHere(page)
  await signIn(page, server.url, author)
  await visit(page, `/lesson/details/${lesson}`)
  const said = page.getByRole('region', { name: 'What’s said' })
  const lines = said.getByRole('button', { name: 'of the video' })
  await expect(lines).toHaveCount(120)

  await lines.nth(2).click()
  await expect(page.locator('iframe')).toHaveAttribute('src', /[?&]start=20(?:&|$)/)
  await press(page, '760')
  const spoken = said.locator('[data-cue][aria-current]')
  await expect(spoken).toHaveText('line 76 of the video')
  await said.getByRole('button', { name: 'Note at 12:40' }).click()
  const note = page.getByRole('textbox', { name: 'New note' })
  await expect(note).toBeFocused()
  await expect(page.getByText('At 12:40 of the video')).toBeVisible()

  await said.getByRole('searchbox').fill('LINE 119 of')
  await expect(lines).toHaveText(['line 119 of the video'])
  await expect(spoken).toHaveCount(0)
  await expect(said.getByRole('button', { name: 'Note at 12:40' })).toBeVisible()
  await said.getByRole('searchbox').fill('')
  await expect(lines).toHaveCount(120)
  // One stop of the Tab key; the arrow keys move in it.
  await said.getByRole('group', { name: 'Lines of the video' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const seeks = page.frameLocator('iframe').getByRole('listitem')
  await expect(seeks.first()).toHaveText('seekTo 770 true')

  await said.getByRole('button', { name: 'Bulgarian' }).click()
  await expect(lines.or(said.getByRole('button', { name: 'ред 0' })).first()).toHaveText(/^ред 0/)
  await page.reload()
  await expect(said.getByRole('button', { name: 'ред 0' })).toBeVisible()
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await overflowOf(page)).toBe(0)
  await page.emulateMedia({ media: 'print' })
  const list = said.getByRole('group', { name: 'Lines of the video' })
  await expect(async () =>
    expect(await list.evaluate((each) => each.scrollHeight - each.clientHeight)).toBe(0),
  ).toPass()
})

test('a buyer offers a correction, which the author compares and accepts', async ({
  page,
  sit,
  server,
}) => {
  const author = await register(server.url)
  const lesson = await publish(server.url, author, { title: 'Pickling' })
  await call(server.url, author, 'PUT', `/caption/${lesson}/en`, { text: fileOf(4) })
  const buyer = await registerBuyer(server, 100, `lesson/buy/${lesson}`)
  await signIn(page, server.url, buyer)
  await visit(page, `/lesson/details/${lesson}`)
  await page.getByRole('link', { name: 'Offer captions or a correction' }).click()
  await page
    .getByRole('textbox', { name: 'File or text' })
    .fill(fileOf(4).replace('line 2', 'A much better line'))
  await page.getByRole('button', { name: 'Send to the author' }).click()
  await expect(page.getByText('Waiting for the author')).toBeVisible()

  const desk = await sit(author)
  await visit(desk, `/lesson/captions/${lesson}`)
  const compared = desk.getByRole('group', { name: 'Present and offered lines' })
  await expect(desk.getByText('1 line of 4 differs')).toBeVisible()
  await expect(compared.getByRole('listitem')).toHaveText(/line 2 .*A much better line/)
  await desk.route(`**/caption/${lesson}`, (route) => route.abort())
  await desk.reload()
  const again = desk.getByRole('button', { name: 'Try again' })
  await expect(again).toBeVisible()
  await expect(desk.getByRole('button', { name: 'Accept' })).toHaveCount(0)
  await desk.unrouteAll()
  await again.click()
  await desk.getByRole('button', { name: 'Accept' }).click()
  const dialog = desk.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Much clearer')
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await expect(compared).toHaveCount(0)

  await page.reload()
  await expect(page.getByText('Much clearer')).toBeVisible()
  await visit(page, `/lesson/details/${lesson}`)
  await expect(page.getByRole('button', { name: 'A much better line' })).toBeVisible()
})
