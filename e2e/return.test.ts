/** Tests the promise on what was paid: returning a lesson, and one whose video is gone. */
import { startReceiver } from '#server/testing/webhooks/receiver.ts'
import { loseVideo } from './database.ts'
import { balanceOf, expect, test, unlock, visit } from './fixtures.ts'
import { publish, register, registerBuyer, signIn } from './people.ts'
import { startServer } from './server.ts'

test('a lesson is returned in time, and one whose video is gone is not sold', async ({ page }) => {
  const youtube = await startReceiver()
  youtube.answer = (response) => response.end(JSON.stringify({ title: 'Knots' }))
  const server = await startServer({ VIDEO_CHECK_URL: youtube.url })
  const id = await publish(server.url, await register(server.url), { title: 'Two knots' })
  await signIn(page, server.url, await registerBuyer(server, 150))
  const address = `${server.url}/lesson/details/${id}`
  await visit(page, address)
  await unlock(page, 100)
  await expect.poll(() => balanceOf(page)).toBe(50)

  await visit(page, address)
  await page.getByRole('button', { name: 'Return · 23 h left' }).click()
  const dialog = page.getByRole('dialog', { name: 'Return “Two knots”?' })
  await expect(dialog).toContainText('+100')
  await expect(dialog).toContainText('150')
  await Promise.all([
    expect(page.getByText('Returned. You have 100 KB Points back.')).toBeVisible(),
    dialog.getByRole('button', { name: 'Return' }).click(),
  ])
  await expect(page.getByRole('button', { name: 'Unlock for 100' })).toBeVisible()
  await expect.poll(() => balanceOf(page)).toBe(150)
  await visit(page, `${server.url}/points`)
  await expect(page.getByText('You returned Two knots')).toBeVisible()

  await loseVideo(server.dataDir, id)
  await visit(page, address)
  await expect(page.getByText('The video can’t be played at the moment')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Unlock for 100' })).toHaveCount(0)
  await server.stop()
  await youtube.close()
})
