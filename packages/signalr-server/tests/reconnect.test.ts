/** Tests lost connections: stateful reconnect, ordinary reconnect, silence, slow readers. */
import {
  HttpTransportType,
  type HubConnection,
  type HubConnectionBuilder,
} from '@microsoft/signalr'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { HubServerOptions } from '../src/hub-server.ts'
import { buildClient, closeAfterEach } from '../testing/clients.ts'
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

const closing = closeAfterEach()

interface Wired {
  server: TestServer
  proxy: TcpProxy
}

async function wire(options: Partial<HubServerOptions> = {}): Promise<Wired> {
  const server = await startTestServer(options)
  const proxy = await startTcpProxy(Number(new URL(server.url).port))
  closing.push(server.close, proxy.close)
  return { server, proxy }
}

const build = ({ proxy }: Wired, binary = false) =>
  buildClient(`${proxy.url}/testhub`, HttpTransportType.WebSockets, binary ? 'messagepack' : 'json')

async function start(builder: HubConnectionBuilder): Promise<HubConnection> {
  const connection = builder.build()
  closing.push(() => connection.stop())
  await connection.start()
  return connection
}

test.each([false, true])(
  'stateful reconnect loses and doubles nothing (binary: %s)',
  async (binary) => {
    const wired = await wire()
    const connection = await start(build(wired, binary).withStatefulReconnect())
    const received: unknown[] = []
    connection.on('Number', (number: unknown) => received.push(number))
    await connection.invoke('JoinGroup', 'numbers')
    const id = await connection.invoke('GetCallerConnectionId')
    for (let number = 0; number < 300; number++) {
      wired.server.hub.clients.group('numbers').send('Number', number)
      if (number % 60 === 30) wired.proxy.cut()
      if (number % 10 === 0) await connection.invoke('Echo', number)
    }
    await expect.poll(() => received.length, { timeout: 5000 }).toBe(300)
    expect(received).toEqual(Array.from({ length: 300 }, (_, number) => number))
    expect(await connection.invoke('GetCallerConnectionId')).toBe(id)
  },
)

test('pending invocations survive a cut and run once', async () => {
  const wired = await wire()
  const connection = await start(build(wired).withStatefulReconnect())
  const answers = Array.from({ length: 50 }, (_, number) => connection.invoke('Echo', number))
  wired.proxy.cut()
  expect(await Promise.all(answers)).toEqual(Array.from({ length: 50 }, (_, number) => number))
})

test('a client that does not reconnect is forgotten', async () => {
  const wired = await wire({ limits: { resumeMs: 100, keepAliveMs: 100 } })
  await start(build(wired).withStatefulReconnect())
  wired.proxy.block()
  wired.proxy.cut()
  await expect.poll(() => wired.server.hub.size()).toBe(0)
})

test('without stateful reconnect a cut ends the connection', async () => {
  const wired = await wire()
  const connection = await start(build(wired).withAutomaticReconnect([0, 50, 100]))
  const id = await connection.invoke('GetCallerConnectionId')
  const back = new Promise((resolve) => connection.onreconnected(resolve))
  wired.proxy.cut()
  expect(await back).not.toBe(id)
  expect(await connection.invoke('Echo', 1)).toBe(1)
  await expect.poll(() => wired.server.hub.size()).toBe(1)
})

test('a silent client is dropped after its time', async () => {
  const wired = await wire({ limits: { clientTimeoutMs: 1000, keepAliveMs: 200 } })
  const builder = build(wired).withKeepAliveInterval(50)
  const connection = await start(builder)
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(connection.state).toBe('Connected')
  wired.proxy.freeze()
  await expect.poll(() => wired.server.hub.size(), { timeout: 3000 }).toBe(0)
})

test('a client that never reads is dropped, the others are served', async () => {
  const wired = await wire({
    limits: { sendMs: 300, mostOutputBytes: 2_000_000, keepAliveMs: 200 },
  })
  const slow = await start(build(wired))
  const other = await startTcpProxy(Number(new URL(wired.server.url).port))
  closing.push(other.close)
  const quick = await start(build({ ...wired, proxy: other }))
  await slow.invoke('JoinGroup', 'all')
  await quick.invoke('JoinGroup', 'all')
  let received = 0
  quick.on('Blob', () => {
    received += 1
  })
  wired.proxy.freeze()
  const blob = 'x'.repeat(20_000)
  for (let round = 0; round < 400; round++) {
    wired.server.hub.clients.group('all').send('Blob', blob)
    if (round % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await expect.poll(() => wired.server.hub.size(), { timeout: 5000 }).toBe(1)
  await expect.poll(() => received).toBe(400)
})

test('cuts at any time lose and duplicate nothing', { timeout: 60_000 }, async () => {
  const wired = await wire()
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 6 }), async (pauses) => {
      const connection = await start(build(wired).withStatefulReconnect())
      const received: unknown[] = []
      connection.on('Number', (number: unknown) => received.push(number))
      const group = String(await connection.invoke('GetCallerConnectionId'))
      await connection.invoke('JoinGroup', group)
      let sent = 0
      for (const pause of pauses) {
        for (let burst = 0; burst < 20; burst++) {
          wired.server.hub.clients.group(group).send('Number', sent)
          sent += 1
        }
        await new Promise((resolve) => setTimeout(resolve, pause))
        wired.proxy.cut()
        // The client only retries once, so another cut before it is back would be final.
        await connection.invoke('Echo', pause)
      }
      await expect.poll(() => received.length, { timeout: 3000 }).toBe(sent)
      expect(received).toEqual(Array.from({ length: sent }, (_, number) => number))
      await connection.stop()
    }),
    { numRuns: 15, seed: 7 },
  )
})
