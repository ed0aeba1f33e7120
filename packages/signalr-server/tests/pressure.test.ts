/**
 * Tests load: calls queued behind a method that waits for its client, a server that has stopped reading, large
 * messages.
 */
import { HttpTransportType } from '@microsoft/signalr'
import { expect, test } from 'vitest'
import { HubError, type HubDefinition } from '../src/hub.ts'
import type { HubServerOptions } from '../src/hub-server.ts'
import { buildClient, closeAfterEach, collect, TRANSPORTS } from '../testing/clients.ts'
import { startTcpProxy } from '../testing/tcp-proxy.ts'
import { startTestServer } from '../testing/test-server.ts'

const { WebSockets, ServerSentEvents, LongPolling } = HttpTransportType
const closing = closeAfterEach()

async function serve(options: Partial<HubServerOptions> = {}) {
  const server = await startTestServer(options)
  closing.push(server.close)
  return server
}

function build(url: string, transport = WebSockets, binary = false, stateful = false) {
  const builder = buildClient(`${url}/testhub`, transport, binary ? 'messagepack' : 'json')
  const connection = (stateful ? builder.withStatefulReconnect() : builder).build()
  closing.push(() => connection.stop())
  return connection
}

test.each(TRANSPORTS)(
  'a method that waits for its client gets the result past 200 queued calls over %s',
  async (_name, transport) => {
    const { url } = await serve()
    const connection = build(url, transport)
    const answer = Promise.withResolvers<number>()
    connection.on('Result', () => answer.promise)
    await connection.start()
    const asking = connection.invoke('AskCaller', 'Result')
    const echoes = Array.from({ length: 200 }, (_, n) => connection.invoke('Echo', n))
    await new Promise((resolve) => setTimeout(resolve, 100))
    answer.resolve(22)
    expect(await asking).toBe('got 22')
    expect(await Promise.all(echoes)).toEqual(Array.from({ length: 200 }, (_, n) => n))
  },
)

test('reading of queued calls resumes when a method asks its client later', async () => {
  const definition: HubDefinition = {
    methods: {
      Echo: (_context, n) => n,
      AskLate: async (context) => {
        await new Promise((resolve) => setTimeout(resolve, 200))
        return context.caller.invoke('Result')
      },
    },
  }
  const { url } = await serve({ definition })
  const connection = build(url)
  connection.on('Result', () => 22)
  await connection.start()
  const asking = connection.invoke('AskLate')
  const echoes = Array.from({ length: 200 }, (_, n) => connection.invoke('Echo', n))
  expect(await asking).toBe(22)
  expect(await Promise.all(echoes)).toHaveLength(200)
})

test('a flood of calls rejects the pending client result, and the calls are answered', async () => {
  const { url } = await serve({ limits: { queuedBytes: 10_000 } })
  const connection = build(url)
  connection.on('Result', () => new Promise(() => {}))
  await connection.start()
  const asking = connection.invoke('AskCaller', 'Result')
  const refused = expect(asking).rejects.toThrow('too many calls')
  const echoes = Array.from({ length: 300 }, (_, n) =>
    connection.invoke('Echo', 'x'.repeat(100) + n),
  )
  await refused
  expect(await Promise.all(echoes)).toHaveLength(300)
  expect(connection.state).toBe('Connected')
})

test('a client result in onConnected is delivered, and calls wait for it', async () => {
  const log: unknown[] = []
  const definition: HubDefinition = {
    methods: { Echo: (_context, n) => log.push(n) },
    onConnected: async (context) => log.push(await context.caller.invoke('Result')),
  }
  const { url } = await serve({ definition })
  const connection = build(url)
  connection.on('Result', () => 'asked')
  await connection.start()
  await connection.invoke('Echo', 'called')
  expect(log).toEqual(['asked', 'called'])
})

test.each(TRANSPORTS)(
  'a client that pings is not considered silent while reading is paused, over %s',
  async (_name, transport) => {
    const { url } = await serve({
      limits: { clientTimeoutMs: 400, keepAliveMs: 100, queuedInvocations: 2 },
    })
    const connection = build(url, transport)
    connection.keepAliveIntervalInMilliseconds = 50
    await connection.start()
    await connection.invoke('Echo', 1)
    await new Promise((resolve) => setTimeout(resolve, 150))
    const waiting = connection.invoke('Wait', 1500)
    const echoes = Array.from({ length: 20 }, (_, n) => connection.invoke('Echo', n))
    await waiting
    expect(await Promise.all(echoes)).toHaveLength(20)
    expect(connection.state).toBe('Connected')
  },
)

test('a client that goes silent afterwards is still dropped', async () => {
  const server = await serve({
    limits: { clientTimeoutMs: 400, keepAliveMs: 100, queuedInvocations: 2 },
  })
  const proxy = await startTcpProxy(Number(new URL(server.url).port))
  closing.push(proxy.close)
  const connection = build(proxy.url)
  connection.keepAliveIntervalInMilliseconds = 50
  await connection.start()
  await connection.invoke('Wait', 200)
  proxy.freeze()
  await expect.poll(() => server.hub.size(), { timeout: 3000 }).toBe(0)
})

test.each([
  ['WebSockets', WebSockets, false],
  ['WebSockets with MessagePack', WebSockets, true],
  ['ServerSentEvents', ServerSentEvents, false],
  ['LongPolling', LongPolling, false],
] as const)('a message of 3 MiB reaches a client over %s', async (_name, transport, binary) => {
  const { url, hub } = await serve()
  const connection = build(url, transport, binary)
  const received: unknown[] = []
  connection.on('Blob', (blob: string) => received.push(blob.length))
  connection.on('Small', (n: unknown) => received.push(n))
  await connection.start()
  const id = String(await connection.invoke('GetCallerConnectionId'))
  hub.clients.client(id).send('Blob', 'x'.repeat(3 * 1024 * 1024))
  hub.clients.client(id).send('Small', 1)
  expect(await connection.invoke('Blob', 2 * 1024 * 1024)).toHaveLength(2 * 1024 * 1024)
  expect(received).toEqual([3 * 1024 * 1024, 1])
  expect(await connection.invoke('GetCallerConnectionId')).toBe(id)
})

test('a message of 3 MiB reaches a client of stateful reconnect', async () => {
  const { url, hub } = await serve()
  const connection = build(url, WebSockets, false, true)
  let received = 0
  connection.on('Blob', (blob: string) => {
    received += blob.length
  })
  await connection.start()
  const id = String(await connection.invoke('GetCallerConnectionId'))
  for (const size of [3 * 1024 * 1024, 1, 1]) hub.clients.client(id).send('Blob', 'x'.repeat(size))
  await connection.invoke('Echo', 1)
  expect(received).toBe(3 * 1024 * 1024 + 2)
  expect(await connection.invoke('GetCallerConnectionId')).toBe(id)
})

test.each([false, true])(
  'a message over the limit is an error for its sender only (bytes: %s)',
  async (binary) => {
    const definition: HubDefinition = {
      methods: {
        Echo: (_context, value) => value,
        Id: (context) => context.connectionId,
        Blob: (_context, size) => 'x'.repeat(Number(size)),
        Tell: (context, size) => context.caller.send('Blob', 'x'.repeat(Number(size))),
        Ask: (context, size) => context.caller.invoke('Blob', 'x'.repeat(Number(size))),
      },
      streams: { Blobs: (_context, size) => ['x', 'x'.repeat(Number(size)), 'x'] },
    }
    const { url, hub } = await serve({ definition, limits: { sentBytes: 10_000 } })
    const connection = build(url, WebSockets, binary)
    const received: unknown[] = []
    connection.on('Blob', (text: string) => received.push(text.length))
    await connection.start()
    for (const name of ['Blob', 'Tell', 'Ask'])
      await expect(connection.invoke(name, 20_000)).rejects.toThrow('over the limit of 10000 bytes')
    await expect(collect(connection, 'Blobs', 20_000)).rejects.toThrow(
      'over the limit of 10000 bytes',
    )
    const large = 'x'.repeat(20_000)
    const id = String(await connection.invoke('Id'))
    expect(() => hub.clients.all().send('Blob', large)).toThrow(HubError)
    expect(() => hub.clients.client(id).send('Blob', large)).toThrow(HubError)
    expect(() => hub.clients.group('nobody').send('Blob', large)).toThrow(HubError)
    await expect(hub.clients.client(id).invoke('Blob', large)).rejects.toThrow(HubError)
    expect(await connection.invoke('Echo', 1)).toBe(1)
    expect(received).toEqual([])
  },
)
