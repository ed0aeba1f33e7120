/** Tests that changes at one node reach the other. bus.slow.test.ts covers pages and the loss of Redis. */
import { expect, test } from 'vitest'
import { setRole } from '#server/people/accounts/store.ts'
import type { Event } from '#server/platform/events/catalogue.ts'
import { openTestNodes } from '#server/testing/setup.ts'
import { formOf } from '#server/testing/http/forms.ts'

const { near, far } = await openTestNodes()
const ann = await near.signUp('ann')

test('an edit at one node reaches the other within a second', async () => {
  const { id } = await near.publishLesson(ann)
  const heard: Event[] = []
  far.app.core.events.subscribe((event) => heard.push(event))
  const form = formOf({ title: 'After the edit' })
  expect((await near.call('PATCH', `/lesson/${id}`, { as: ann, form })).status).toBe(200)
  await expect
    .poll(() => heard, { timeout: 1000 })
    .toContainEqual({ type: 'items.changed', items: [expect.objectContaining({ id })] })
})

test('a suspension and a logout take effect at the other node at once', async () => {
  const [bob, admin] = [await near.signUp('bob'), await near.signUp('admin')]
  await setRole(near.app.database.db, 'admin', 'administrator')
  const write = () =>
    far.call('POST', '/message/create', {
      as: bob,
      json: { text: 'hello', receiverUsername: 'ann' },
    })
  expect((await write()).status).toBe(200)
  const json = { reason: 'They were rude to everybody here.' }
  await near.call('POST', `/admin/suspend/${bob.session._id}`, { as: admin, json })
  expect((await write()).status).toBe(403)
  const carl = await far.signUp('carl')
  const headers = { cookie: carl.cookie, origin: near.url }
  const { status } = await near.call('POST', '/identity/logout', { headers })
  expect(status).toBeLessThan(300)
  expect((await far.call('GET', '/message/unread', { as: carl })).status).toBe(401)
})
