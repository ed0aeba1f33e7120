/** What happens at one node is seen at the other. Pages, and a Redis that goes: bus.slow.test.ts. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setRole } from '#server/accounts/store.ts'
import type { Change } from '#server/kernel/changes.ts'
import { createTestApp, type Person, type TestApp } from '#server/testing/app.ts'
import { startRedis, type RedisProcess } from '#server/testing/redis-process.ts'

let redis: RedisProcess
let near: TestApp
let far: TestApp
let ann: Person
beforeAll(async () => {
  redis = await startRedis()
  near = await createTestApp({ REDIS_URL: redis.url })
  far = await createTestApp({ REDIS_URL: redis.url }, null, near)
  ann = await near.signUp('ann')
})
afterAll(async () => {
  await far.close()
  await near.close()
  await redis.close()
})

test('an edit at one node is heard at the other within a second', async () => {
  const { id } = await near.publishLesson(ann)
  const heard: Change[] = []
  far.app.core.changes.subscribe((change) => heard.push(change))
  const form = new FormData()
  form.set('title', 'After the edit')
  expect((await near.call('PATCH', `/lesson/${id}`, { as: ann, form })).status).toBe(200)
  await expect
    .poll(() => heard, { timeout: 1000 })
    .toContainEqual({ kind: 'itemsChanged', items: [expect.objectContaining({ id })] })
})

test('a suspension and a logout are seen at the other node at once', async () => {
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
