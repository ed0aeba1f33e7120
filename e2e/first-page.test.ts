/**
 * Tests a lesson's opening: its author writes it, the form stores it, and everybody can read it on the locked
 * page.
 */
import { awake, expect, stored, test, visit, writePicture } from './fixtures.ts'
import { openOptional, publishByForm } from './publish-by-form.ts'
import { publish, register, signIn } from './people.ts'

test('an opening is written, refused if too long, stored and printed with its band', async ({
  page,
  sit,
  server,
}, info) => {
  const author = await register(server.url)
  await signIn(page, server.url, author)
  await visit(page, '/lesson/create')
  await openOptional(page)
  const field = page.getByLabel('First page')
  const around = page.locator('[data-field]', { has: field })
  await field.fill('я'.repeat(301))
  await field.blur()
  await expect(around).toContainText('may have up to 300 characters')
  await expect(around).toContainText('301 / 300')
  await field.fill('Nine years ago\na jar began to live.')
  await expect(around).not.toContainText('may have up to 300 characters')
  await stored(page, 'a jar began to live.')
  await page.reload()
  await awake(page)
  await expect(field).toHaveValue('Nine years ago\na jar began to live.')
  const opens = () => Promise.resolve()
  await publishByForm(page, await writePicture(info.outputDir), { opens, video: 'firstpageen' })
  const guest = await sit(null, { javaScriptEnabled: false })
  await guest.goto(page.url())
  const first = guest.getByRole('region', { name: 'How it begins' })
  // The cards below have their own bands.
  const usual = guest.locator('[data-book] [data-band]').first()
  await expect(first).toContainText('a jar began to live.')
  await expect(usual).toBeHidden()
  await expect(first.locator('[data-band]')).toHaveCount(1)
  await guest.goto(`/lesson/details/${await publish(server.url, author)}`)
  await expect(usual).toBeVisible()
  await expect(first).toHaveCount(0)
})
