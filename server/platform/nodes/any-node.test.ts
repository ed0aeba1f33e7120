/**
 * Tests that a person can continue on another node without sticky sessions, because no state is in a process's
 * memory.
 */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Lesson } from '#contract/lessons.ts'
import { lessonForm, type TestApp } from '#server/testing/app.ts'
import { openTestApp } from '#server/testing/setup.ts'

const near = await openTestApp()
const far = await openTestApp({ DATA_DIR: near.dataDir }, null, near)
const ann = await near.signUp('ann')
const bob = await far.signUp('bob')

test('a draft that is sent to both nodes at once makes one lesson', async () => {
  const draftId = randomUUID()
  const form = async () => lessonForm({ draftId })
  const answers = await Promise.all(
    [near, far, near, far].map(async (node) =>
      node.call<{ id: number }>('POST', '/lesson/create', { as: ann, form: await form() }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
})

test('a person counts as one view a day, on any node', async () => {
  const { id } = await near.publishLesson(ann)
  const read = (node: TestApp) => node.call<Lesson>('GET', `/lesson/${id}`, { as: bob })
  const before = (await read(near)).body.views
  for (const node of [near, far, near, far]) expect((await read(node)).status).toBe(200)
  for (const node of [near, far]) await node.app.views.flush()
  await expect.poll(async () => (await read(far)).body.views, { timeout: 5000 }).toBe(before + 1)
})

test('a message read at one node is read at the other', async () => {
  const json = { text: 'hello', receiverUsername: 'bob' }
  expect((await near.call('POST', '/message/create', { as: ann, json })).status).toBe(200)
  const unread = (node: TestApp) => node.call('GET', '/message/unread', { as: bob })
  const [here, there] = [await unread(near), await unread(far)]
  expect(here.body).toEqual(there.body)
  expect(JSON.stringify(here.body)).toContain('1')
})
