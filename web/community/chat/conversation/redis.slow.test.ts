/** Tests the client while the nodes lose Redis, over which they exchange messages, or while a node is killed. */
import { expect, test, type TestContext } from 'vitest'
import { chat } from '#contract/chat.ts'
import { startRedis } from '#server/testing/redis/process.ts'
import { createTestApp, TEST_SECRET, type Person, type TestApp } from '#server/testing/app.ts'
import { addressOf } from '#server/testing/backup/commands.ts'
import { startProduct } from '#server/testing/product.ts'
import { createChatLink } from '#web/community/chat/link/chat-link.ts'
import { openRoom } from '#web/community/chat/conversation/room.ts'
import { createUnsentStore } from '#web/community/chat/conversation/unsent-store.ts'
import type { Api } from '#web/core/api.ts'
import { toWire } from '#web/core/wire.ts'

/** Simulates a browser that forbids storage. */
const noStorage = (): never => {
  throw new Error('there is none')
}

const apiOf = (origin: string, { session }: Person): Api =>
  (async (endpoint, input) => {
    const { method, url, body } = toWire(endpoint, input)
    const headers = {
      authorization: `Bearer ${session.accessToken}`,
      ...(body !== null && { 'content-type': 'application/json' }),
    }
    const answer = await fetch(origin + url, { method, body, headers })
    return (await answer.json()) as never
  }) as Api

/** Opens Bob's conversation with Ann at one node. Returns a function that reads the texts it shows. */
function openTab(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  node: TestApp,
  [ann, bob]: readonly [Person, Person],
): () => string[] {
  const link = createChatLink({
    url: `${node.url}/chatHub`,
    token: () => Promise.resolve(bob.session.accessToken),
    renew: () => Promise.resolve(null),
    username: () => 'bob',
  })
  onTestFinished(() => link.stop())
  link.start()
  const room = openRoom({
    api: apiOf(node.url, bob),
    link,
    store: createUnsentStore(noStorage, bob.session._id, ann.session._id),
    me: { username: 'bob', imageUrl: '' },
    other: 'ann',
    history: [],
    unread: 0,
    isSeen: () => true,
  })
  onTestFinished(room.close)
  return () => room.current().confirmed.map(({ text }) => text)
}

test('a message written while the nodes were disconnected arrives without a reload', async (ending) => {
  const { onTestFinished } = ending
  const redis = await startRedis()
  onTestFinished(redis.close)
  const near = await createTestApp({ REDIS_URL: redis.url })
  onTestFinished(() => near.close())
  const far = await createTestApp({ REDIS_URL: redis.url }, null, near)
  onTestFinished(() => far.close())
  const [ann, bob] = [await near.signUp('ann'), await far.signUp('bob')]
  const shown = openTab(ending, far, [ann, bob])
  const write = (text: string) =>
    near.call('POST', '/message/create', { as: ann, json: { text, receiverUsername: 'bob' } })
  await write('before')
  await expect.poll(shown, { timeout: 10_000 }).toEqual(['before'])
  await redis.stop()
  await write('meanwhile')
  // The message has been delivered to nobody by now. Only a client that refetches after the nodes reconnect can show
  // it.
  await new Promise((resolve) => setTimeout(resolve, 4000))
  await redis.restart()
  await expect.poll(shown, { timeout: 7000 }).toEqual(['before', 'meanwhile'])
}, 40_000)

test('a message that a node had stored but not delivered when it was killed arrives without a reload', async (ending) => {
  const { onTestFinished } = ending
  const redis = await startRedis()
  onTestFinished(redis.close)
  const far = await createTestApp({ REDIS_URL: redis.url })
  onTestFinished(() => far.close())
  const near = await startProduct({
    DATABASE_URL: addressOf(far.connection),
    REDIS_URL: redis.url,
    AUTH_SECRETS: TEST_SECRET,
    PUBLIC_URL: far.url,
    JOBS: 'elsewhere',
  })
  onTestFinished(() => near.stop().then(() => undefined))
  const [ann, bob] = [await far.signUp('ann'), await far.signUp('bob')]
  const shown = openTab(ending, far, [ann, bob])
  const write = (text: string) =>
    apiOf(near.url, ann)(chat.create, { text, receiverUsername: 'bob' })
  await write('before')
  await expect.poll(shown, { timeout: 10_000 }).toEqual(['before'])
  await write('stored by the dead')
  // The node delivers the message two seconds later unless the sender's hub call comes first.
  near.signal('SIGKILL')
  await near.ended
  await expect.poll(shown, { timeout: 12_000 }).toEqual(['before', 'stored by the dead'])
}, 60_000)
