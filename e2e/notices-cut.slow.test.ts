/** The bell keeps counting behind a proxy that cuts every long-lived connection, as many do after a minute. */
import { expect, visit } from './fixtures.ts'
import { test } from './chat-people.ts'
import { call, publish } from './people.ts'

test('the bell keeps counting behind a proxy that cuts connections, without losses and duplicates', async ({
  sit,
  wire,
  server,
  ann,
  bob,
}) => {
  const lessons: number[] = []
  while (lessons.length < 4) lessons.push(await publish(server.url, ann))
  const pages = [await sit(ann), await sit(ann)]
  const bells = async (count: number) => {
    const name = count === 0 ? 'Notifications' : `Notifications, ${count} unread`
    for (const page of pages)
      await expect(page.getByRole('banner').getByRole('link', { name, exact: true })).toBeVisible()
  }
  for (const page of pages) await visit(page, '/about')
  await bells(0)
  for (const [place, lesson] of lessons.entries()) {
    // Right after a cut every page is disconnected.
    wire.proxy.cut()
    await call(server.url, bob, 'POST', `/lesson/like/${lesson}`)
    await bells(place + 1)
  }
  const list = await sit(ann)
  await list.goto('/notifications')
  await expect(list.getByRole('main').getByRole('listitem')).toHaveCount(lessons.length)
})
