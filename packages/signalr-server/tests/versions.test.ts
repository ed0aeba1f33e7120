/** Tests each major version of the official client from 5 to 10 with the same actions over each transport. */
import { describe, expect, test } from 'vitest'
import { HubError, type HubDefinition } from '../src/hub.ts'
import { closeAfterEach, collect } from '../testing/clients.ts'
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

type Client = typeof import('@microsoft/signalr')
type Packing = typeof import('@microsoft/signalr-protocol-msgpack')
type HubConnection = import('@microsoft/signalr').HubConnection

/** The version that introduced each feature. */
const CLIENT_RESULTS = 7
const STATEFUL_RECONNECT = 8

// Older and newer clients have their own types, which match the current ones where they overlap.
const VERSIONS: readonly (readonly [number, () => Promise<unknown>, () => Promise<unknown>])[] = [
  [5, () => import('signalr-5'), () => import('signalr-msgpack-5')],
  [6, () => import('signalr-6'), () => import('signalr-msgpack-6')],
  [7, () => import('signalr-7'), () => import('signalr-msgpack-7')],
  [8, () => import('signalr-8'), () => import('signalr-msgpack-8')],
  [9, () => import('signalr-9'), () => import('signalr-msgpack-9')],
  [10, () => import('@microsoft/signalr'), () => import('@microsoft/signalr-protocol-msgpack')],
]
const WAYS = [
  ['WebSockets', 'json'],
  ['WebSockets', 'messagepack'],
  ['ServerSentEvents', 'json'],
  ['LongPolling', 'json'],
  ['LongPolling', 'messagepack'],
] as const

const definition: HubDefinition = {
  methods: {
    Id: (context) => context.connectionId,
    Echo: (_context, value) => value,
    Join: (context, group) => context.join(String(group)),
    Refuse: (_context, words) => {
      throw new HubError(String(words))
    },
    Ask: (context) => context.caller.invoke('Age'),
    Concat: {
      uploads: 1,
      run: async (_context, words) => {
        let text = ''
        for await (const word of words as AsyncIterable<unknown>) text += String(word)
        return text
      },
    },
    Caught: {
      uploads: 1,
      run: async (_context, words) => {
        try {
          for await (const _ of words as AsyncIterable<unknown>);
          return null
        } catch (error) {
          return error instanceof HubError ? [error.name, error.message] : 'another error'
        }
      },
    },
  },
  streams: {
    async *Count(_context, most) {
      for (let n = 0; n < Number(most); n++) yield n
    },
  },
}

const closing = closeAfterEach()

async function serve(): Promise<{ server: TestServer; proxy: TcpProxy }> {
  // Limits the wait at the end for a client that was cut off during a poll.
  const server = await startTestServer({ definition, limits: { closeMs: 100 } })
  const proxy = await startTcpProxy(Number(new URL(server.url).port))
  closing.push(server.close, proxy.close)
  return { server, proxy }
}

describe.each(VERSIONS)('@microsoft/signalr %d', (major, load, loadPacking) => {
  /** Version 5 takes a global `fetch` for that of a browser, which also has `self`. Node doesn't. */
  function lendSelf() {
    if (major > 5 || 'self' in globalThis) return
    Object.defineProperty(globalThis, 'self', { value: globalThis, configurable: true })
    closing.push(() => Reflect.deleteProperty(globalThis, 'self'))
  }

  async function build(
    url: string,
    transport: (typeof WAYS)[number][0] = 'WebSockets',
    protocol: (typeof WAYS)[number][1] = 'json',
  ) {
    lendSelf()
    const client = (await load()) as Client
    const { MessagePackHubProtocol } = (await loadPacking()) as Packing
    expect(client.VERSION.split('.')[0]).toBe(String(major))
    const binary = protocol === 'messagepack'
    const builder = new client.HubConnectionBuilder()
      .withUrl(`${url}/testhub`, { transport: client.HttpTransportType[transport] })
      .withHubProtocol(binary ? new MessagePackHubProtocol() : new client.JsonHubProtocol())
      .configureLogging(client.LogLevel.None)
    return { client, builder }
  }

  async function start(connection: HubConnection) {
    closing.push(() => connection.stop())
    await connection.start()
    return connection
  }

  test.each(WAYS)('works over %s with %s', async (transport, protocol) => {
    const { server, proxy } = await serve()
    const { client, builder } = await build(proxy.url, transport, protocol)
    const connection = await start(builder.withAutomaticReconnect([0, 20, 100, 500]).build())
    const id = String(await connection.invoke('Id'))
    const received: unknown[] = []
    connection.on('Said', (...words: unknown[]) => received.push(words))
    const value = { text: '你好 мир 🎉', list: [1, -1, 1.5, 2 ** 40], none: null }
    expect(await connection.invoke('echo', value)).toEqual(value)
    await expect(connection.invoke('Refuse', 'not now')).rejects.toThrow('HubException: not now')
    await expect(connection.invoke('Nothing', 1)).rejects.toThrow(
      "Failed to invoke 'Nothing' due to an error on the server. HubException: Method does not exist.",
    )
    await connection.send('Join', 'room')
    expect(await collect(connection, 'Count', 200)).toEqual(
      Array.from({ length: 200 }, (_, n) => n),
    )
    const words = new client.Subject<string>()
    const result = connection.invoke('Concat', words)
    for (const word of ['a', 'б', '🎉']) words.next(word)
    words.complete()
    expect(await result).toBe('aб🎉')
    await server.hub.clients.client(id).send('Said', 'you', 1)
    await server.hub.clients.group('room').send('Said', 'all', null)
    await expect
      .poll(() => received)
      .toEqual([
        ['you', 1],
        ['all', null],
      ])
    const back = new Promise((resolve) => connection.onreconnected(resolve))
    proxy.cut()
    expect(await back).not.toBe(id)
    expect(await connection.invoke('Echo', 'again')).toBe('again')
    await server.hub.clients.all().send('Said', 'everybody')
    await expect.poll(() => received.at(-1)).toEqual(['everybody'])
  })

  test.each(WAYS)(
    'reports a failing upload and stops over %s with %s',
    async (transport, protocol) => {
      const ends: (Error | undefined)[] = []
      const server = await startTestServer({
        definition,
        observer: { disconnected: ({ error }) => ends.push(error) },
      })
      closing.push(server.close)
      const { client, builder } = await build(server.url, transport, protocol)
      const connection = await start(builder.build())
      const fail = (method: string) => {
        const words = new client.Subject<string>()
        const answer = connection.invoke(method, words)
        words.next('a')
        words.error(new Error('it broke'))
        return answer
      }
      expect(await fail('Caught')).toEqual(['HubException', 'it broke'])
      await expect(fail('Concat')).rejects.toThrow(
        "An unexpected error occurred invoking 'Concat' on the server. HubException: it broke",
      )
      expect(ends).toEqual([])
      await connection.stop()
      await expect.poll(() => ends).toEqual([undefined])
    },
  )

  test(`${major < CLIENT_RESULTS ? 'ends when it is asked' : 'answers'} what the server asks`, async () => {
    const { proxy } = await serve()
    const { builder } = await build(proxy.url)
    const connection = await start(builder.build())
    connection.on('Age', () => 7)
    const asked = connection.invoke('Ask')
    if (major < CLIENT_RESULTS) await expect(asked).rejects.toThrow('not supported in this version')
    else expect(await asked).toBe(7)
  })

  test.runIf(major >= STATEFUL_RECONNECT)('resumes the same connection', async () => {
    const { server, proxy } = await serve()
    const { builder } = await build(proxy.url)
    const connection = await start(builder.withStatefulReconnect().build())
    const id = String(await connection.invoke('Id'))
    const received: unknown[] = []
    connection.on('Said', (word: unknown) => received.push(word))
    proxy.cut()
    for (let n = 0; n < 20; n++) await server.hub.clients.client(id).send('Said', n)
    await expect.poll(() => received).toEqual(Array.from({ length: 20 }, (_, n) => n))
    expect(await connection.invoke('Id')).toBe(id)
  })
})
