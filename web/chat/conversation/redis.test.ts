/** The page's modules at one of two nodes that lose the Redis in which they meet. */
import { expect, test } from 'vitest'
import { startRedis } from '#server/testing/redis-process.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { createChatLink } from '#web/chat/link/chat-link.ts'
import { openRoom } from '#web/chat/conversation/room.ts'
import { createUnsentStore } from '#web/chat/conversation/unsent-store.ts'
import type { Api } from '#web/core/api.ts'
import { toWire } from '#web/core/wire.ts'

/** As in a browser that keeps nothing. */
const noStorage = (): never => {
  throw new Error('there is none')
}

const apiOf = (origin: string, { session }: Person): Api =>
  (async (endpoint, input) => {
    const { method, url, body } = toWire(endpoint, input)
    const headers = { authorization: `Bearer ${session.accessToken}` }
    const answer = await fetch(origin + url, { method, body, headers })
    return (await answer.json()) as never
  }) as Api

test('what was written while the nodes were apart arrives without a reload', async ({
  onTestFinished,
}) => {
  const redis = await startRedis()
  onTestFinished(redis.close)
  const near = await createTestApp({ REDIS_URL: redis.url })
  onTestFinished(() => near.close())
  const far = await createTestApp({ REDIS_URL: redis.url }, null, near)
  onTestFinished(() => far.close())
  const [ann, bob] = [await near.signUp('ann'), await far.signUp('bob')]
  const link = createChatLink({
    url: `${far.url}/chatHub`,
    token: () => Promise.resolve(bob.session.accessToken),
    renew: () => Promise.resolve(null),
    username: () => 'bob',
  })
  onTestFinished(() => link.stop())
  link.start()
  const room = openRoom({
    api: apiOf(far.url, bob),
    link,
    store: createUnsentStore(noStorage, bob.session._id, ann.session._id),
    me: { username: 'bob', imageUrl: '' },
    other: 'ann',
    history: [],
    unread: 0,
    isSeen: () => true,
  })
  onTestFinished(room.close)
  const shown = () => room.current().said.map(({ text }) => text)
  const write = (text: string) =>
    near.call('POST', '/message/create', { as: ann, json: { text, receiverUsername: 'bob' } })
  await write('before')
  await expect.poll(shown, { timeout: 10_000 }).toEqual(['before'])
  await redis.stop()
  await write('meanwhile')
  // By now it was delivered, to nobody; only a connection that was renewed meanwhile would have read it.
  await new Promise((resolve) => setTimeout(resolve, 4000))
  await redis.restart()
  await expect.poll(shown, { timeout: 7000 }).toEqual(['before', 'meanwhile'])
}, 40_000)
