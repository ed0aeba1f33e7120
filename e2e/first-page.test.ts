/**
 * Tests a lesson's opening: its author writes it, the form stores it, and everybody can read it on the locked
 * page.
 */
import { awake, expect, stored, test, visit, writePicture } from './fixtures.ts'
import { openOptional } from './publish-by-form.ts'
import { publish, register } from './people.ts'

test('an opening is written, refused if too long, stored and printed', async ({
  page,
  server,
  browser,
}, info) => {
  const author = await register(server.url)
  await page.context().addCookies([author.cookie])
  await page.goto('/lesson/create')
  await openOptional(page)
  const field = page.getByLabel('First page')
  await field.fill('я'.repeat(301))
  await field.blur()
  await expect(page.locator('[data-field]', { has: field })).toContainText(
    'may have up to 300 characters',
  )
  await expect(page.locator('[data-field]', { has: field })).toContainText('301 / 300')
  await field.fill('Nine years ago\na jar began to live.')
  await expect(page.locator('[data-field]', { has: field })).not.toContainText(
    'may have up to 300 characters',
  )
  await stored(page, 'a jar began to live.')
  await page.reload()
  await awake(page)
  await expect(field).toHaveValue('Nine years ago\na jar began to live.')
  await page.locator('input[name=title]').fill('Jar')
  await page.locator('input[name=description]').fill('What one learns in it')
  await page.locator('input[name=video]').fill('https://youtu.be/firstpageen')
  const picture = await writePicture(info.outputPath())
  await page.locator('input[type=file]').first().setInputFiles(picture)
  await page.locator('[data-field=tags] input').fill('testing,')
  await page.locator('.ProseMirror').click()
  await page.keyboard.type('This text was written slowly, over far more than a minute.')
  await page.locator('main form button[type=submit]').last().click()
  await expect(page).toHaveURL(/lesson\/details\/\d+/)
  const address = new URL(page.url()).pathname
  const context = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false })
  const guest = await context.newPage()
  await guest.goto(address)
  const first = guest.getByRole('region', { name: 'How it begins' })
  await expect(first).toContainText('a jar began to live.')
  // The cards below have their own bands.
  await expect(guest.locator('[data-book] [data-band]').first()).toBeHidden()
  await expect(first.locator('[data-band]')).toHaveCount(1)
  await context.close()
})

test('an opening shows its band, a lesson without one has the usual one', async ({
  page,
  server,
}) => {
  const author = await register(server.url)
  const plain = await publish(server.url, author, { tags: 'jars,winter' })
  const withOpening = await publish(server.url, author, {
    tags: 'jars,winter',
    opening: `Word ${'w'.repeat(290)}`,
  })
  await visit(page, `/lesson/details/${withOpening}`)
  await expect(page.locator('section[aria-labelledby=first-page] [data-band]')).toBeVisible()
  await visit(page, `/lesson/details/${plain}`)
  await expect(page.locator('[data-book] [data-band]').first()).toBeVisible()
  await expect(page.locator('section[aria-labelledby=first-page]')).toHaveCount(0)
  // No dead end, for a guest neither: both lessons have the same tags, and nobody has unlocked any.
  const others = page.getByRole('region', { name: 'On the same subject' })
  await others.getByRole('article').first().getByRole('link', { name: 'Details' }).click()
  await expect(page).not.toHaveURL(`/lesson/details/${plain}`)
})
