/** Tests the way of a newcomer on a site that unlocks a first lesson on trust. */
import { confirmAddress } from './database.ts'
import { awake, balanceOf, expect, test, visit, writePicture } from './fixtures.ts'
import { publish, register, signIn } from './people.ts'
import { publishByForm } from './publish-by-form.ts'

test('a new person unlocks a lesson on trust, and the first reward pays it off', async ({
  page,
  server,
}, info) => {
  const picture = await writePicture(info.outputDir)
  const lesson = await publish(server.url, await register(server.url), { title: 'Sheet bend' })
  const person = await register(server.url)
  await signIn(page, server.url, person)
  await visit(page, `/lesson/details/${lesson}`)
  const main = page.getByRole('main')
  await expect(main).toContainText('You don’t have enough KB Points yet.')

  await confirmAddress(server.dataDir, person.id)
  await page.reload()
  await expect(main).not.toContainText('You don’t have enough KB Points yet.')
  await expect(main).toContainText('you can unlock it now and owe 100 KB Points')
  await awake(page)
  const onTrust = { name: 'Unlock on trust' }
  await page.getByRole('button', onTrust).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Up to 10 go to the author once you’ve paid this off.')
  await expect(dialog.locator('dl, table')).toContainText('You’ll owe')
  await dialog.getByRole('button', onTrust).click()
  await expect(page).toHaveURL(/\/lesson\/bought$/)
  await page.getByRole('link', { name: 'Read it now: Sheet bend' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sheet bend' })).toBeVisible()

  await visit(page, '/points')
  await expect(main).toContainText('You owe 100 KB Points.')
  await expect(page.getByRole('table')).toContainText('You unlocked Sheet bend on trust')
  await publishByForm(page, picture, { title: 'Figure eight', video: 'figure8knot' })
  await visit(page, '/points')
  await expect(page.getByRole('table')).toContainText('Figure eight')
  await expect(main).not.toContainText('You owe')
  expect(await balanceOf(page)).toBe(0)
})
