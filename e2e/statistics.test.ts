/** An author's statistics: what is there first, what an unlock changes, and the file. */
import { readFile } from 'node:fs/promises'
import { countYesterday } from './database.ts'
import { expect, overflowOf, test, visit } from './fixtures.ts'
import { call, publish, register } from './people.ts'

test('an unlock is in the statistics of the next day, in every range and in the file', async ({
  page,
  server: { url, dataDir },
}) => {
  const author = await register(url)
  await page.context().addCookies([author.cookie])
  await visit(page, '/author')
  await expect(page.getByText('Your statistics will be here')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Create a lesson' })).toBeVisible()

  const lesson = await publish(url, author, { title: 'Counted knots' })
  const reader = await register(url)
  await publish(url, reader)
  await call(url, reader, 'POST', `/lesson/buy/${lesson}`)
  await countYesterday(dataDir, { author: author.id, lesson })
  await expect(async () => {
    await visit(page, '/author')
    await expect(page.getByText('1 person unlocked it')).toBeVisible({ timeout: 1000 })
  }).toPass()
  const table = page.getByRole('table', { name: 'Your lessons and courses' })
  await expect(table.getByRole('row', { name: 'Counted knots' })).toContainText('110')

  await page.getByRole('link', { name: '7 days', exact: true }).press('Enter')
  await expect(page).toHaveURL('/author?days=7')
  await expect(page.getByRole('table', { name: 'Day by day' }).getByRole('row')).toHaveCount(8)
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download as CSV' }).click()
  const csv = await readFile(await (await downloading).path(), 'utf8')
  expect(csv).toMatch(/,lesson,\d+,"Counted knots",0,1,/)

  await page.setViewportSize({ width: 390, height: 800 })
  await table.getByRole('link', { name: 'Counted knots' }).click()
  await expect(page).toHaveURL(`/author/lesson/${lesson}?days=7`)
  await expect(page.getByText('Shown once 5 people have watched the video')).toBeVisible()
  expect(await overflowOf(page)).toBe(0)
})
