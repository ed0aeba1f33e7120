/** Tests rules for calls: filters, policies, schemas, concurrency, and expiring connections. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Subject, type HubConnection } from '@microsoft/signalr'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { HubError, type HubDefinition } from '../src/hub.ts'
import { createHubServer, type HubServerOptions } from '../src/hub-server.ts'
import { subpathOf } from '../src/connections/connection-server.ts'
import { jsonProtocol } from '../src/protocol/json-protocol.ts'
import type { HubProtocol } from '../src/protocol/messages.ts'
import { closeAfterEach, collect } from '../testing/clients.ts'
import { listen } from '../testing/listener.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

const closing = closeAfterEach()

async function serve(
  definition: HubDefinition,
  options: Partial<HubServerOptions> = {},
): Promise<TestServer> {
  const methods = { Id: () => 'id', ...definition.methods }
  const server = await startTestServer({
    definition: { ...definition, methods },
    detailedErrors: false,
    ...options,
  })
  closing.push(server.close)
  return server
}

async function connect({ url }: TestServer, token = 'ann'): Promise<HubConnection> {
  const { connection } = await listen(`${url}/testhub`, { accessTokenFactory: () => token })
  closing.push(() => connection.stop())
  return connection
}

async function enter(
  definition: HubDefinition,
  options: Partial<HubServerOptions> = {},
): Promise<HubConnection> {
  return connect(await serve(definition, options))
}

describe('filters', () => {
  test('run around each call, the first outermost, and may change its result', async () => {
    const log: string[] = []
    const named = (name: string) => ({
      invoke: async (
        { method, arguments: given }: { method: string; arguments: readonly unknown[] },
        next: () => Promise<unknown>,
      ) => {
        log.push(`${name} ${method} ${given.join()}`)
        const result = await next()
        log.push(name)
        return `${String(result)} ${name}`
      },
    })
    const connection = await enter(
      { methods: { Echo: (_context, text) => text } },
      { filters: [named('a'), {}, named('b')] },
    )
    log.length = 0
    expect(await connection.invoke('eCHO', 'x')).toBe('x b a')
    expect(log).toEqual(['a Echo x', 'b Echo x', 'b', 'a'])
  })

  test('refuse a call with a message, and the method does not run', async () => {
    let ran = 0
    const connection = await enter(
      { methods: { Do: () => (ran += 1) } },
      {
        filters: [
          {
            invoke: ({ method }, next) => {
              if (method === 'Do') throw new HubError('not now')
              return next()
            },
          },
        ],
      },
    )
    await expect(connection.invoke('Do')).rejects.toThrow('HubException: not now')
    expect(ran).toBe(0)
  })

  test('wrap the items of a stream', async () => {
    async function* twice(items: AsyncIterable<number>) {
      for await (const item of items) yield item * 2
    }
    const connection = await enter(
      { methods: {}, streams: { Count: () => [1, 2] } },
      {
        filters: [
          {
            invoke: async ({ kind }, next) => {
              const given = await next()
              return kind === 'stream' ? twice(given as AsyncIterable<number>) : given
            },
          },
        ],
      },
    )
    expect(await collect(connection, 'Count')).toEqual([2, 4])
  })

  test('run around connects and disconnects, and may refuse a connection', async () => {
    const log: string[] = []
    const server = await serve(
      {
        methods: {},
        onConnected: () => log.push('connected'),
        onDisconnected: () => log.push('disconnected'),
      },
      {
        authenticate: (_request, token) => Promise.resolve({ id: token ?? '' }),
        filters: [
          {
            connect: async (context, next) => {
              if (context.user?.id === 'eve') throw new HubError('not you')
              log.push('before')
              await next()
            },
            disconnect: async (_context, _error, next) => {
              await next()
              log.push('after')
            },
          },
        ],
      },
    )
    const connection = await connect(server)
    await connection.stop()
    await expect.poll(() => log).toEqual(['before', 'connected', 'disconnected', 'after'])
    await expect(connect(server, 'eve')).rejects.toThrow('not you')
    expect(log.filter((word) => word === 'connected')).toHaveLength(1)
  })
})

describe('policies', () => {
  const definition: HubDefinition = {
    authorize: ({ context, method }) => method === 'Id' || context.user?.id !== 'eve',
    methods: {
      Open: () => 'open',
      Read: {
        run: (_context, room) => `read ${String(room)}`,
        authorize: async ({ context, arguments: [room] }) =>
          context.user?.claims?.['room'] === room,
      },
    },
    streams: { Watch: { run: () => [1], authorize: () => false } },
  }
  const authenticate: HubServerOptions['authenticate'] = (_request, token) =>
    Promise.resolve({ id: token ?? '', claims: { room: `${token}'s` } })

  test('of the hub and of a method see caller, method and arguments', async () => {
    const server = await serve(definition, { authenticate })
    const [ann, eve] = [await connect(server), await connect(server, 'eve')]
    expect(await ann.invoke('Open')).toBe('open')
    expect(await ann.invoke('Read', "ann's")).toBe("read ann's")
    const refused = "Failed to invoke 'Read' because user is unauthorized"
    await expect(ann.invoke('Read', "bob's")).rejects.toThrow(refused)
    await expect(eve.invoke('Read', "eve's")).rejects.toThrow(refused)
    await expect(eve.invoke('Open')).rejects.toThrow('unauthorized')
    await expect(collect(ann, 'Watch')).rejects.toThrow('unauthorized')
    expect(ann.state).toBe('Connected')
  })

  test('an error in one refuses the call and is reported', async () => {
    const faults: unknown[] = []
    const connection = await enter(
      {
        methods: {
          Do: {
            run: () => 1,
            authorize: () => {
              throw new Error('secret words')
            },
          },
        },
      },
      { onFault: (error) => faults.push(error) },
    )
    const failure = await connection.invoke('Do').catch(String)
    expect(failure).toContain('An unexpected error occurred')
    expect(failure).not.toContain('secret')
    expect(faults).toHaveLength(1)
  })
})

describe.each([
  ['zod', z.object({ name: z.string().min(2), age: z.number() }), z.string()],
  ['valibot', v.object({ name: v.pipe(v.string(), v.minLength(2)), age: v.number() }), v.string()],
  ['arktype', type({ name: 'string>=2', age: 'number' }), type('string')],
] as const)('schemas of %s', (_name, person, text) => {
  test('validate arguments before the method runs', async () => {
    let ran = 0
    const connection = await enter({
      methods: {
        Save: {
          arguments: [person, text],
          run: (_context, given, word) => {
            ran += 1
            return [given, word]
          },
        },
      },
      streams: { Names: { arguments: [text], run: (_context, word) => [word] } },
    })
    const ann = { name: 'ann', age: 7 }
    expect(await connection.invoke('Save', ann, 'x')).toEqual([ann, 'x'])
    expect(await collect(connection, 'Names', 'x')).toEqual(['x'])
    await expect(connection.invoke('Save', { name: 'a', age: 7 }, 'x')).rejects.toThrow(
      /HubException: argument 1 \(name\): /,
    )
    await expect(connection.invoke('Save', ann, 1)).rejects.toThrow(/argument 2: /)
    await expect(connection.invoke('Save', ann)).rejects.toThrow("Failed to invoke 'Save'")
    await expect(collect(connection, 'Names', 1)).rejects.toThrow(/argument 1: /)
    expect(ran).toBe(1)
  })
})

test('a method receives the parsed arguments', async () => {
  const connection = await enter({
    methods: {
      Double: {
        arguments: [z.string().transform(async (word) => Number(word))],
        run: (_context, number) => Number(number) * 2,
      },
    },
  })
  expect(await connection.invoke('Double', '21')).toBe(42)
})

test('the number of concurrent calls of one client is limited', async () => {
  let running = 0
  let most = 0
  const definition: HubDefinition = {
    methods: {
      Work: async (_context, ms) => {
        running += 1
        most = Math.max(most, running)
        await new Promise((resolve) => setTimeout(resolve, Number(ms)))
        running -= 1
        return ms
      },
    },
  }
  const connection = await enter(definition, { parallel: 3 })
  const order: unknown[] = []
  const calls = [100, 50, 10, 10, 10, 10].map((ms) =>
    connection.invoke('Work', ms).then((answer) => order.push(answer)),
  )
  await Promise.all(calls)
  expect(most).toBe(3)
  expect(order.at(-1)).toBe(100)
  await expect(serve(definition, { parallel: 0 })).rejects.toThrow('parallel')
})

test('one method may upload and stream at once', async () => {
  const connection = await enter({
    methods: {},
    streams: {
      Shout: {
        uploads: 1,
        run: async function* (_context, mark, words) {
          for await (const word of words as AsyncIterable<unknown>)
            yield `${String(word)}${String(mark)}`
        },
      },
    },
  })
  const words = new Subject<string>()
  const received: unknown[] = []
  const done = new Promise<void>((resolve, reject) => {
    connection.stream('Shout', '!', words).subscribe({
      next: (item) => received.push(item),
      complete: resolve,
      error: reject,
    })
  })
  words.next('one')
  await expect.poll(() => received).toEqual(['one!'])
  words.next('two')
  words.complete()
  await done
  expect(received).toEqual(['one!', 'two!'])
})

test('the number of open streams of one client is limited', async () => {
  const never = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) }
  const connection = await enter(
    { methods: {}, streams: { Never: () => never } },
    { limits: { openStreams: 3 } },
  )
  const open = Array.from({ length: 3 }, () =>
    connection.stream('Never').subscribe({ next: () => {}, complete: () => {}, error: () => {} }),
  )
  await expect(collect(connection, 'Never')).rejects.toThrow('Too many streams')
  open[0]?.dispose()
  await connection.invoke('Id')
  connection.stream('Never').subscribe({ next: () => {}, complete: () => {}, error: () => {} })
  expect(await connection.invoke('Id')).toBe('id')
})

test('methods can read their connection: items, claims, headers, address', async () => {
  const server = await serve(
    {
      methods: {
        Remember: (context, word) => void context.items.set('word', word),
        Recall: (context) => context.items.get('word') ?? null,
        Claim: (context) => context.user?.claims?.['role'],
        Request: (context) => [
          typeof context.request.headers['user-agent'],
          context.request.address?.endsWith('127.0.0.1'),
        ],
      },
    },
    { authenticate: () => Promise.resolve({ id: 'ann', claims: { role: 'admin' } }) },
  )
  const [one, other] = [await connect(server), await connect(server)]
  await one.invoke('Remember', 'tea')
  expect(await one.invoke('Recall')).toBe('tea')
  expect(await other.invoke('Recall')).toBeNull()
  expect(await one.invoke('Claim')).toBe('admin')
  expect(await one.invoke('Request')).toEqual(['string', true])
})

test.each([true, false])(
  'a connection ends with its token if configured: %s',
  async (closeOnExpiry) => {
    let seen = 0
    const server = await serve(
      { methods: {} },
      {
        closeOnExpiry,
        limits: { keepAliveMs: 100 },
        authenticate: () => {
          seen += 1
          return Promise.resolve({ id: 'ann', expiresAt: Date.now() + 500 })
        },
      },
    )
    const connection = await connect(server)
    const before = seen
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(connection.state).toBe(closeOnExpiry ? 'Disconnected' : 'Connected')
    expect(seen).toBe(before)
  },
)

test('a connection lasts as long as the newest token in its polls', async () => {
  // A token is its time of expiry.
  const server = await serve(
    { methods: {} },
    {
      closeOnExpiry: true,
      limits: { keepAliveMs: 100, pollMs: 100 },
      authenticate: (_request, token) => Promise.resolve({ id: 'ann', expiresAt: Number(token) }),
    },
  )
  const url = `${server.url}/testhub`
  const ask = (address: string, end: number, body?: string) =>
    fetch(address, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${end}` },
      ...(body !== undefined && { body }),
    })
  const begun = Date.now()
  const first = await ask(`${url}/negotiate?negotiateVersion=1`, begun + 3000, '')
  const { connectionToken } = (await first.json()) as { connectionToken: string }
  const own = `${url}?id=${encodeURIComponent(connectionToken)}`
  await ask(own, begun + 3000)
  await ask(own, begun + 3000, '{"protocol":"json","version":1}\u001e')
  // Each poll extends the expiry with a newer token, until the last one.
  while (Date.now() < begun + 4000) expect((await ask(own, Date.now() + 5000)).status).toBe(200)
  let last = await ask(own, Date.now())
  let said = await last.text()
  while (last.status === 200) {
    last = await ask(own, 0)
    said += await last.text()
  }
  expect(said).toContain('{"type":7,"allowReconnect":true}')
  expect(last.status).toBe(204)
})

test('a method calls its own client, and others, without a time limit', async () => {
  const connection = await enter({
    methods: {
      AskWithin: (context, timeoutMs) =>
        context.caller.invokeWithin({ timeoutMs: Number(timeoutMs) }, 'Never'),
      AskUntil: (context) =>
        context.caller.invokeWithin({ signal: AbortSignal.abort(new HubError('enough')) }, 'Never'),
      AskSelf: (context) =>
        context.clients.client(context.connectionId).invokeWithin({ timeoutMs: 60_000 }, 'Age'),
    },
  })
  connection.on('Never', () => new Promise(() => {}))
  connection.on('Age', () => 7)
  await expect(connection.invoke('AskWithin', 50)).rejects.toThrow('did not answer in time')
  await expect(connection.invoke('AskUntil')).rejects.toThrow('enough')
  expect(await connection.invoke('AskSelf')).toBe(7)
})

describe('origins', () => {
  const ask = async (origins: HubServerOptions['origins'], origin: string) => {
    const server = await serve({ methods: {} }, { ...(origins !== undefined && { origins }) })
    // The test server answers preflights itself, so this tests the connection of a page.
    const answer = await fetch(`${server.url}/testhub/negotiate?negotiateVersion=1`, {
      method: 'POST',
      headers: { origin },
    })
    const status = await new Promise<string>((resolve) => {
      const socket = new WebSocket(`${server.url}/testhub`.replace('http', 'ws'), { origin })
      socket.on('open', () => {
        socket.terminate()
        resolve('open')
      })
      socket.on('error', (error) => resolve(error.message))
    })
    return [answer.headers.get('vary'), status]
  }

  test.each([
    [['https://a.example'], 'https://a.example', 'open'],
    [['https://a.example'], 'https://b.example', '403'],
    [(origin: string) => origin.endsWith('.example'), 'https://b.example', 'open'],
    [(origin: string) => origin.endsWith('.example'), 'https://b.test', '403'],
    ['*' as const, 'https://b.test', 'open'],
    ['*' as const, 'null', 'open'],
    [[], 'null', '403'],
  ])('%o lets %s in or not', async (origins, origin, wanted) => {
    const [vary, status] = await ask(origins, origin)
    expect(status).toContain(wanted)
    expect(vary).toBe(Array.isArray(origins) && origins.length === 0 ? null : 'origin')
  })

  test.each([
    ['https://a.example', ['x-mine', 'x-other'], 'https://a.example'],
    ['https://b.example', ['x-mine'], null],
    ['https://a.example', undefined, 'https://a.example'],
  ])('a page at %s may send %o after a preflight', async (origin, more, allowed) => {
    const hub = createHubServer({
      secret: 'a secret',
      origins: ['https://a.example'],
      ...(more !== undefined && { allowedHeaders: more }),
      definition: { methods: {} },
    })
    // The test server answers preflights itself; here the hub does.
    const server = createServer((request, response) => {
      hub.answer(request, response, subpathOf(request.url, '/hub') ?? '')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing.push(
      async () => void server.close(),
      () => hub.close(),
    )
    const { port } = server.address() as AddressInfo
    const answer = await fetch(`http://127.0.0.1:${port}/hub/negotiate`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    expect(answer.headers.get('access-control-allow-origin')).toBe(allowed)
    const names = answer.headers.get('access-control-allow-headers')?.toLowerCase().split(', ')
    for (const name of more ?? []) expect(names).toContain(name)
    expect(names).toContain('x-signalr-user-agent')
    expect(names?.includes('x-mine')).toBe(more !== undefined)
  })
})

test('a hub speaks the protocols that it is given, and those alone', async () => {
  const shouting: HubProtocol = {
    name: 'shouting',
    binary: false,
    parse: (record) => jsonProtocol.parse(Buffer.from(record.toString('utf8').replace('?', '!'))),
    write: (message) => Buffer.from(jsonProtocol.write(message).toString('utf8').toUpperCase()),
  }
  const server = await serve(
    { methods: { Say: (_context, word) => word } },
    { protocols: [shouting] },
  )
  const speak = async (protocol: string) => {
    const socket = new WebSocket(`${server.url}/testhub`.replace('http', 'ws'))
    const received: string[] = []
    socket.on('message', (data: Buffer) => received.push(data.toString('utf8')))
    await new Promise((resolve) => socket.on('open', resolve))
    socket.send(`{"protocol":"${protocol}","version":1}\u001e`)
    socket.send('{"type":1,"invocationId":"1","target":"Say","arguments":["hi?"]}\u001e')
    const ended = new Promise((resolve) => socket.on('close', resolve))
    if (protocol === 'shouting') await expect.poll(() => received.length).toBeGreaterThan(1)
    else await ended
    socket.terminate()
    return received
  }
  expect(await speak('shouting')).toEqual([
    '{}\u001e',
    '{"TYPE":3,"INVOCATIONID":"1","RESULT":"HI!"}\u001e',
  ])
  expect((await speak('json'))[0]).toContain('not supported')
})

test('two methods of one name are refused when the hub is made', async () => {
  await expect(serve({ methods: { say: () => 1, Say: () => 2 } })).rejects.toThrow('two methods')
})
