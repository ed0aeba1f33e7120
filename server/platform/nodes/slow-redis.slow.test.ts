/** Tests two nodes with a slow Redis: what it delays, and what waits for it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Message } from '#contract/chat.ts'
import { startTcpProxy } from '#signalr/testing/tcp-proxy.ts'
import { lessonForm, type Person, type TestApp } from '#server/testing/app.ts'
import { connectHub } from '#server/testing/http/hub.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'
import { startRedis } from '#server/testing/redis/process.ts'
import { closeAtEnd, openTestApp } from '#server/testing/setup.ts'
import { formOf } from '#server/testing/http/forms.ts'

/**
 * The longest wait of a person in ms: less than the 2 seconds of a command's timeout. A new hub connection
 * subscribes to its channels; everything else waits a quarter of a second for its count, and the rest is room for
 * a busy machine.
 */
const SOON_MS = 1900
const CONNECT_MS = 3500
/** In ms: `/readyz` responds in time for any load balancer. */
const READY_MS = 1500
/** In ms after the delay ends: a second to reconnect, 5 for caches to expire, and room for the machine. */
const BACK_MS = 9000

const redis = closeAtEnd(await startRedis())
const proxy = closeAtEnd(await startTcpProxy(Number(new URL(redis.url).port)))
const environment = { REDIS_URL: proxy.url.replace('http', 'redis'), RATE_LIMITS: 'on' }
const renderer = await loadSourceRenderer()
const near = await openTestApp(environment, renderer)
const far = await openTestApp(environment, renderer, near)
const ann = await near.signUp('ann')
const bob = await far.signUp('bob')

/** Connects the official client and records what it receives. */
async function connectClient(node: TestApp, { session }: Person) {
  const { connection, heard } = await connectHub(node, session.accessToken)
  const hints: number[] = []
  connection.on('CatchUp', () => hints.push(performance.now()))
  return { connection, heard, hints }
}

const page = async ({ url }: TestApp, path: string, cookie = '') => {
  const answer = await fetch(`${url}${path}`, { headers: { cookie } })
  return { status: answer.status, body: await answer.text() }
}
const write = (text: string) =>
  near.call<Message>('POST', '/message/create', {
    as: ann,
    json: { text, receiverUsername: 'bob' },
  })
const history = async () =>
  (await far.call<Message[]>('GET', '/message/all/ann', { as: bob })).body.map(({ text }) => text)

/** Returns the ms of `/readyz` and its result: one word, with the names of what is unavailable. */
async function readyOf({ url }: TestApp): Promise<readonly [number, string]> {
  const began = performance.now()
  const answer = await fetch(`${url}/readyz`)
  const { status, degraded = '' } = (await answer.json()) as Record<string, string>
  return [performance.now() - began, `${answer.status} ${status} ${degraded}`.trim()]
}

const expectBoth = async (says: string) => {
  for (const node of [near, far])
    await expect.poll(async () => (await readyOf(node))[1], { timeout: BACK_MS }).toBe(says)
}

/** Actions at both nodes, each with its maximum in ms. */
function actionsOf(
  lesson: number,
  name: string,
): readonly [string, number, () => Promise<number>][] {
  const status = async (work: Promise<{ status: number }>) => (await work).status
  const password = { username: 'bob', password: bob.password }
  const comment = { text: `Read with a slow Redis, ${name}.` }
  return [
    ['a call', SOON_MS, () => status(far.call('GET', '/lesson/newest'))],
    ['a guest’s page', SOON_MS, () => status(page(far, `/lesson/details/${lesson}`))],
    ['a signed-in page', SOON_MS, () => status(page(near, '/lesson/all', ann.cookie))],
    ['a message', SOON_MS, () => status(write(`meanwhile ${name}`))],
    [
      'a comment',
      SOON_MS,
      () => status(near.call('POST', `/comment/create/${lesson}`, { as: ann, json: comment })),
    ],
    [
      'a lesson',
      SOON_MS,
      async () =>
        status(near.call('POST', '/lesson/create', { as: ann, form: await lessonForm() })),
    ],
    ['a login', SOON_MS, () => status(far.call('POST', '/identity/login', { json: password }))],
    [
      'a hub connection and a word over it',
      CONNECT_MS,
      async () => {
        const { connection } = await connectClient(near, ann)
        await connection.invoke('SendMessageToGroup', 'bob', `spoken ${name}`, '')
        await connection.stop()
        return 200
      },
    ],
  ]
}

const AWAY = '200 degraded redis'
const READY = '200 ready'

describe.each([
  // Within the limits of a check and a command: it is slow, but everything works.
  { delayMs: 500, says: READY, isHeard: true },
  // A check takes longer than `/readyz` waits; commands succeed, but none may wait for another.
  { delayMs: 1500, says: AWAY, isHeard: false },
  // Longer than any command may take: its connections end and reconnect, so it is never ready.
  { delayMs: 3000, says: AWAY, isHeard: false },
])('a Redis that answers after $delayMs ms', ({ delayMs, says, isHeard }) => {
  test(
    'delays nobody, is reported, and recovers without a restart',
    { timeout: 90_000 },
    async () => {
      const name = `at ${delayMs}`
      const lesson = await near.publishLesson(ann, { title: `Before ${name}` })
      const path = `/lesson/details/${lesson.id}`
      const { connection, heard, hints } = await connectClient(far, bob)
      await expectBoth(READY)
      const slow: string[] = []
      const note = (what: string, ms: number, most: number) => {
        if (ms > most) slow.push(`${what} took ${Math.round(ms)} ms`)
      }
      const before = hints.length
      proxy.delay(delayMs)
      // Waits until a beat has met the delay and its timeout is over.
      await sleep(4000)
      await expectBoth(says)
      for (let round = 0; round < 3; round += 1) {
        for (const [what, most, action] of actionsOf(lesson.id, `${name}, ${round}`)) {
          const began = performance.now()
          expect([what, await action()]).toEqual([what, 200])
          note(what, performance.now() - began, most)
        }
        for (const node of [near, far]) note('/readyz', (await readyOf(node))[0], READY_MS)
      }
      expect(slow).toEqual([])
      await expectBoth(says)
      const last = `meanwhile ${name}, 2`
      if (isHeard) await expect.poll(() => heard, { timeout: BACK_MS }).toContain(last)
      const form = formOf({ title: `Changed ${name}` })
      expect((await near.call('PATCH', `/lesson/${lesson.id}`, { as: ann, form })).status).toBe(200)
      await expect
        .poll(async () => (await page(far, path)).body, { timeout: BACK_MS, interval: 100 })
        .toContain(`Changed ${name}`)
      proxy.delay(0)
      await expectBoth(READY)
      // The message was received, or clients that may have missed it are told to load it; nothing is lost.
      await expect
        .poll(() => heard.includes(last) || hints.length > before, { timeout: BACK_MS })
        .toBe(true)
      for (const round of [0, 1, 2])
        for (const word of ['meanwhile', 'spoken'])
          expect(await history()).toContain(`${word} ${name}, ${round}`)
      await write(`after ${name}`)
      await expect.poll(() => heard, { timeout: BACK_MS }).toContain(`after ${name}`)
      expect(connection.state).toBe('Connected')
      await connection.stop()
    },
  )
})
