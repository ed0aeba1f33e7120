/** Connections must not leave anything behind, however they end. */
import { randomUUID } from 'node:crypto'
import { HttpTransportType, type HubConnection } from '@microsoft/signalr'
import { expect, test } from 'vitest'
import { createLocalBackplane, type Backplane } from '../src/backplane/backplane.ts'
import { buildClient, closeAfterEach, TRANSPORTS } from '../testing/clients.ts'
import { startTcpProxy } from '../testing/tcp-proxy.ts'
import { startTestServer } from '../testing/test-server.ts'

const MANY = 60
const closing = closeAfterEach()

/** A single node that records its subscriptions. */
function createWatchedBackplane() {
  const channels = new Set<string>()
  const backplane: Backplane = {
    ...createLocalBackplane('lone'),
    subscribe: (channel) => {
      channels.add(channel)
      return Promise.resolve()
    },
    unsubscribe: (channel) => channels.delete(channel),
  }
  return { backplane, channels }
}

/** Counts sockets and timers of this process, including those of the clients. */
const countHandles = () =>
  process.getActiveResourcesInfo().filter((name) => /TCP|Pipe|Timeout/.test(name)).length

async function start(url: string, transport: HttpTransportType): Promise<HubConnection> {
  const builder = buildClient(`${url}/testhub`, transport)
  if (transport === HttpTransportType.WebSockets) builder.withStatefulReconnect()
  const connection = builder.build()
  await connection.start()
  // Joins a group of its own, and one with all clients.
  await connection.invoke('JoinGroup', randomUUID())
  await connection.invoke('JoinGroup', 'all')
  return connection
}

test.each(TRANSPORTS)(
  'nothing is left of sixty clients over %s',
  { timeout: 30_000 },
  async (_name, transport) => {
    const { backplane, channels } = createWatchedBackplane()
    const limits = { resumeMs: 200, pollGapMs: 3000, keepAliveMs: 200 }
    const server = await startTestServer({ backplane, limits })
    const proxy = await startTcpProxy(Number(new URL(server.url).port))
    closing.push(server.close, proxy.close)
    // The first connection creates objects that remain.
    await (await start(proxy.url, transport)).stop()
    await expect.poll(() => server.hub.size()).toBe(0)
    const before = { channels: [...channels], handles: countHandles() }
    const clients: HubConnection[] = []
    while (clients.length < MANY)
      clients.push(
        ...(await Promise.all(Array.from({ length: 20 }, () => start(proxy.url, transport)))),
      )
    expect(server.hub.size()).toBe(MANY)
    expect(channels.size).toBeGreaterThan(MANY)
    // A third disconnects, a third is disconnected by the server, and the proxy cuts off the rest for good.
    await Promise.all(clients.slice(0, 20).map((client) => client.stop()))
    await Promise.all(clients.slice(20, 40).map((client) => client.send('Abort')))
    proxy.block()
    proxy.cut()
    await expect.poll(() => server.hub.size(), { timeout: 10_000 }).toBe(0)
    expect([...channels]).toEqual(before.channels)
    await Promise.all(clients.map((client) => client.stop()))
    await expect.poll(countHandles, { timeout: 10_000 }).toBeLessThanOrEqual(before.handles + 2)
  },
)

test('negotiations without a transport leave nothing behind', async () => {
  const { backplane, channels } = createWatchedBackplane()
  const server = await startTestServer({ backplane, limits: { attachMs: 300 } })
  closing.push(server.close)
  const before = channels.size
  const answers = await Promise.all(
    Array.from({ length: MANY }, () =>
      fetch(`${server.url}/testhub/negotiate?negotiateVersion=1`, { method: 'POST' }),
    ),
  )
  for (const answer of answers) expect(answer.status).toBe(200)
  await Promise.all(answers.map((answer) => answer.text()))
  await expect.poll(() => server.hub.size(), { timeout: 5000 }).toBe(0)
  expect(channels.size).toBe(before)
})
