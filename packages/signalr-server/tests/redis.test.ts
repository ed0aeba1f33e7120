/** Tests several nodes with real Redis servers, and while Redis is unavailable. */
import { HttpTransportType } from '@microsoft/signalr'
import { expect, test } from 'vitest'
import type { HubDefinition } from '../src/hub.ts'
import { createRedisBackplane, type RedisBackplane } from '../src/redis.ts'
import { closeAfterEach, negotiate } from '../testing/clients.ts'
import { listen, type Listener } from '../testing/listener.ts'
import { startRedisServers, type RedisKind, type RedisServers } from '../testing/redis-servers.ts'
import { startTcpProxy } from '../testing/tcp-proxy.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

const definition: HubDefinition = {
  methods: {
    Id: (context) => context.connectionId,
    Join: (context, group) => context.join(String(group)),
    Echo: (_context, value) => value,
  },
}
const closing = closeAfterEach()

interface Node {
  readonly server: TestServer
  readonly backplane: RedisBackplane
}

async function startNode(redis: RedisServers): Promise<Node> {
  // The node's address must be known before it listens, so a proxy in front of it starts first.
  let port = 0
  const front = await startTcpProxy(() => port)
  const backplane = createRedisBackplane({ client: redis.connect(), address: front.url })
  const server = await startTestServer({ definition, backplane, catchUpEvent: 'CatchUp' })
  port = Number(new URL(server.url).port)
  closing.push(front.close, () => backplane.close(), server.close)
  await expect.poll(() => backplane.isConnected()).toBe(true)
  return { server, backplane }
}

async function connectTo({ server }: Node, transport = HttpTransportType.WebSockets) {
  const person = await listen(`${server.url}/testhub`, { transport })
  closing.push(() => person.connection.stop())
  await person.connection.invoke('Join', 'room')
  return person
}

async function startTwo(kind: RedisKind) {
  const redis = await startRedisServers(kind)
  closing.push(() => redis.close())
  const [near, far] = [await startNode(redis), await startNode(redis)]
  const [ann, bob] = [await connectTo(near), await connectTo(far)]
  return { redis, near, far, ann, bob }
}

const sendToRoom = ({ server }: Node, message: unknown) =>
  server.hub.clients.group('room').send('Said', message)

const countCatchUps = ({ connection }: Listener) => {
  let count = 0
  connection.on('CatchUp', () => (count += 1))
  return () => count
}

test.each(['single', 'sentinel', 'cluster'] as const)(
  'with %s Redis, each client gets a message once, and client results arrive',
  { timeout: 120_000 },
  async (kind) => {
    const { near, far, ann, bob } = await startTwo(kind)
    for (let n = 0; n < 50; n++) await sendToRoom(n % 2 === 0 ? near : far, n)
    await expect.poll(() => ann.received.length).toBe(50)
    await expect.poll(() => bob.received.length).toBe(50)
    expect(new Set(bob.received).size).toBe(50)
    bob.connection.on('Age', () => 7)
    bob.connection.on('Refuse', () => Promise.reject(new Error('not today')))
    const bobFromNear = near.server.hub.clients.client(bob.id)
    expect(await bobFromNear.invoke('Age')).toBe(7)
    await expect(bobFromNear.invoke('Refuse')).rejects.toThrow('not today')
    expect(await near.server.hub.groups.add(bob.id, 'other')).toBe(true)
    await near.server.hub.clients.group('other').send('Said', 'other')
    await expect.poll(() => bob.received.at(-1)).toBe('other')
  },
)

test('a request at the wrong node is forwarded to the right one', async () => {
  const { near, far } = await startTwo('single')
  const { own: pollUrl } = await negotiate(`${near.server.url}/testhub`)
  const poll = (at: Node) => fetch(pollUrl.replace(near.server.url, at.server.url))
  expect((await poll(far)).status).toBe(200)
  expect(near.server.hub.size()).toBe(2)
  await near.backplane.close()
  await near.server.close()
  // A cached address expires after two seconds.
  await expect.poll(() => poll(far).then(({ status }) => status)).toBe(404)
})

test('without Redis a node serves its own clients, and notifies them of possibly lost messages', async () => {
  const { redis, near, ann, bob } = await startTwo('single')
  const catchUps = countCatchUps(bob)
  await redis.kill()
  await expect.poll(() => near.backplane.isConnected()).toBe(false)
  await sendToRoom(near, 'alone')
  await expect.poll(() => ann.received).toEqual(['alone'])
  expect(await bob.connection.invoke('Echo', 1)).toBe(1)
  await redis.restart()
  await expect.poll(catchUps).toBeGreaterThan(0)
  await sendToRoom(near, 'together')
  await expect.poll(() => bob.received).toEqual(['together'])
})

test('messages on one node are not delayed while Redis hangs', async () => {
  const { redis, near, ann } = await startTwo('single')
  redis.freeze()
  for (let n = 0; n < 100; n++) await sendToRoom(near, n)
  await expect.poll(() => ann.received.length).toBe(100)
  const late = await connectTo(near)
  expect(await late.connection.invoke('Echo', 1)).toBe(1)
  await expect.poll(() => near.backplane.isConnected()).toBe(false)
  redis.thaw()
  await expect.poll(() => near.backplane.isConnected()).toBe(true)
})

test.each(['sentinel', 'cluster'] as const)(
  'after a failover in %s, nodes receive each other’s messages again',
  { timeout: 120_000 },
  async (kind) => {
    const { redis, near, bob } = await startTwo(kind)
    // Enough rooms that in a cluster some of their channels are on the killed server.
    const rooms = Array.from({ length: 12 }, (_, n) => `room ${n}`)
    for (const room of rooms) await bob.connection.invoke('Join', room)
    await redis.kill()
    const isReceived = async () => {
      for (const room of rooms) await near.server.hub.clients.group(room).send('Said', room)
      return rooms.every((room) => bob.received.includes(room))
    }
    await expect.poll(isReceived, { timeout: 60_000, interval: 200 }).toBe(true)
  },
)
