/** Tests that what happens at one node is visible at the other: soon with Redis, later without it, but always. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#server/testing/app.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'
import { startRedis } from '#server/testing/redis/process.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { closeAtEnd, openTestApp } from '#server/testing/setup.ts'

/** In ms: the promised times, and room for a busy machine to render the page. */
const WITH_REDIS_MS = 1000
const WITHOUT_MS = 5000
const RENDER_MS = 500

const redis = closeAtEnd(await startRedis())
const renderer = await loadSourceRenderer()

async function openNodes(environment: Record<string, string>) {
  const near = await openTestApp(environment, renderer)
  const far = await openTestApp(environment, renderer, near)
  return { near, far, ann: await near.signUp('ann') }
}
type Nodes = Awaited<ReturnType<typeof openNodes>>

async function pageOf({ url }: TestApp, path: string): Promise<string> {
  const answer = await fetch(`${url}${path}`)
  return `${answer.status} ${await answer.text()}`
}

/**
 * Returns the ms until the guest's page has the wanted content. Requests it continuously, so it is cached before.
 */
async function seenAfter(node: TestApp, path: string, isAsWanted: (html: string) => boolean) {
  const began = performance.now()
  while (!isAsWanted(await pageOf(node, path))) {
    if (performance.now() - began > 20_000) throw new Error(`${path} stays as it was`)
    await sleep(20)
  }
  return performance.now() - began
}

/** Makes changes at the first node and measures when guests see them at the second. */
async function measure({ near, far, ann }: Nodes): Promise<Record<string, number>> {
  const lesson = await near.publishLesson(ann, { title: 'Before the change' })
  const page = `/lesson/details/${lesson.id}`
  const found: Record<string, number> = {}
  for (const path of [page, '/lesson/all'])
    await expect.poll(() => pageOf(far, path), { timeout: 10_000 }).toContain('Before the change')
  const edit = async (title: string) => {
    const form = formOf({ title })
    const { status } = await near.call('PATCH', `/lesson/${lesson.id}`, { as: ann, form })
    expect(status).toBe(200)
  }
  await edit('After the first')
  found['edit, page'] = await seenAfter(far, page, (html) => html.includes('After the first'))
  await pageOf(far, '/lesson/all')
  await edit('After the second')
  found['edit, list'] = await seenAfter(far, '/lesson/all', (html) =>
    html.includes('After the second'),
  )
  await pageOf(far, page)
  const { status } = await near.call('DELETE', `/lesson/${lesson.id}`, { as: ann })
  expect(status).toBe(200)
  found['deletion'] = await seenAfter(far, page, (html) => html.startsWith('404'))
  return found
}

describe('with Redis', () => {
  let nodes: Nodes
  beforeAll(async () => {
    nodes = await openNodes({ REDIS_URL: redis.url })
  })

  test('a foreign message does no harm', async () => {
    const stranger = new Redis(redis.url)
    const { far } = nodes
    const ready = () => fetch(`${far.url}/readyz`).then((answer) => answer.json())
    const nonsense = ['', 'x', 'me\0', 'me\0{', 'me\0{"n":-1}', `me\0${'['.repeat(100_000)}`]
    for (const text of [
      ...nonsense,
      'me\0{"n":7,"t":0,"c":[{"type":"items.changed","items":[{}]}]}',
    ]) {
      await stranger.publish('kb:changes', text)
      await stranger.publish(`kb:chat:u:${nodes.ann.session._id}`, text)
    }
    await stranger.publish('kb:changes', Buffer.alloc(1_000_000, 200))
    stranger.disconnect()
    await sleep(100)
    expect(await ready()).toEqual({ status: 'ready' })
  })

  test(
    'changes made while Redis was unavailable are visible when it is back',
    { timeout: 60_000 },
    async () => {
      const { near, far, ann } = nodes
      const lesson = await near.publishLesson(ann, { title: 'Not to be lost' })
      const page = `/lesson/details/${lesson.id}`
      await redis.stop()
      await expect.poll(() => pageOf(far, page), { timeout: 10_000 }).toContain('Not to be lost')
      const form = formOf({ title: 'Changed unheard' })
      await near.call('PATCH', `/lesson/${lesson.id}`, { as: ann, form })
      const ms = await seenAfter(far, page, (html) => html.includes('Changed unheard'))
      expect(ms).toBeLessThan(WITHOUT_MS + RENDER_MS)
      await redis.restart()
      const ready = () => fetch(`${far.url}/readyz`).then((answer) => answer.json())
      await expect.poll(ready, { timeout: 7000 }).toEqual({ status: 'ready' })
      await expect
        .poll(() => fetch(`${near.url}/readyz`).then((answer) => answer.json()), { timeout: 7000 })
        .toEqual({ status: 'ready' })
      const found = await measure(nodes)
      for (const ms of Object.values(found)) expect(ms).toBeLessThan(WITH_REDIS_MS)
    },
  )
})

test(
  'without Redis guests of another node see changes within five seconds',
  { timeout: 60_000 },
  async () => {
    const nodes = await openNodes({})
    const found = await measure(nodes)
    for (const ms of Object.values(found)) expect(ms).toBeLessThan(WITHOUT_MS + RENDER_MS)
  },
)
