/**
 * Tests that a person can continue on another node without sticky sessions, because no state is in a process's
 * memory.
 */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Lesson } from '#contract/lessons.ts'
import { lessonForm, type TestApp } from '#server/testing/app.ts'
import { makeTestFolder } from '#server/testing/folder.ts'
import { openTestApp } from '#server/testing/setup.ts'

// Nodes share the folder of files, or a bucket.
const folder = await makeTestFolder()
const near = await openTestApp({ DATA_DIR: folder })
const far = await openTestApp({ DATA_DIR: folder }, null, near)
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

test('an upload continues at another node, and both serve its picture and file', async () => {
  const tus = { 'tus-resumable': '1.0.0', authorization: `Bearer ${ann.session.accessToken}` }
  const name = Buffer.from('plan.pdf').toString('base64')
  const begun = await fetch(`${near.url}/api/upload/resource`, {
    method: 'POST',
    headers: { ...tus, 'upload-length': '10', 'upload-metadata': `filename ${name}` },
  })
  expect(begun.status).toBe(201)
  const path = new URL(begun.headers.get('location') ?? '', `${near.url}/api/upload/resource`)
    .pathname
  const send = (node: TestApp, offset: number, body: string) =>
    fetch(node.url + path, {
      method: 'PATCH',
      headers: {
        ...tus,
        'upload-offset': `${offset}`,
        'content-type': 'application/offset+octet-stream',
      },
      body,
    })
  expect((await send(near, 0, '01234')).headers.get('upload-offset')).toBe('5')
  const asked = await fetch(far.url + path, { method: 'HEAD', headers: tus })
  expect(asked.headers.get('upload-offset')).toBe('5')
  const last = await send(far, 5, '56789')
  const address = last.headers.get('x-resource-url') ?? ''
  for (const node of [near, far]) {
    const file = await fetch(node.url + address, { headers: tus })
    expect([file.status, await file.text()]).toEqual([200, '0123456789'])
  }
})

test('a message read at one node is read at the other', async () => {
  const json = { text: 'hello', receiverUsername: 'bob' }
  expect((await near.call('POST', '/message/create', { as: ann, json })).status).toBe(200)
  const unread = (node: TestApp) => node.call('GET', '/message/unread', { as: bob })
  const [here, there] = [await unread(near), await unread(far)]
  expect(here.body).toEqual(there.body)
  expect(JSON.stringify(here.body)).toContain('1')
})
