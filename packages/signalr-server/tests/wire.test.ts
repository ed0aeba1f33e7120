/** Tests the hub's protocol with raw messages that the official client never sends. */
import { once } from 'node:events'
import { request as openRequest, type IncomingMessage } from 'node:http'
import { connect as openSocket } from 'node:net'
import { decode, encode } from '@msgpack/msgpack'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { HubError } from '../src/hub.ts'
import { createHubServer } from '../src/hub-server.ts'
import { jsonProtocol } from '../src/protocol/json-protocol.ts'
import { withLength } from '../src/protocol/messagepack-protocol.ts'
import { closeAfterEach } from '../testing/clients.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { JSON_HELLO, openWire, say } from '../testing/wire.ts'

const END = '\u001e'
const closing = closeAfterEach()
let server: TestServer
/** Short timeouts for fast tests. */
let hasty: TestServer
const limits = { pollMs: 300, pollGapMs: 300, attachMs: 300, handshakeMs: 300, keepAliveMs: 200 }
beforeAll(async () => {
  server = await startTestServer()
  hasty = await startTestServer({ limits, origins: ['https://friend.example'] })
})
afterAll(async () => {
  await server.close()
  await hasty.close()
})

interface Negotiated {
  connectionId: string
  connectionToken?: string
  negotiateVersion: number
  availableTransports: { transport: string; transferFormats: string[] }[]
  useStatefulReconnect?: boolean
  error?: string
}

async function negotiate(query = '?negotiateVersion=1', at = server, path = '/testhub') {
  const response = await fetch(`${at.url}${path}/negotiate${query}`, { method: 'POST' })
  return { response, body: (await response.json()) as Negotiated }
}

async function tokenOf(at = server): Promise<string> {
  return (await negotiate('?negotiateVersion=1', at)).body.connectionToken ?? ''
}

const hub = (token: string, at = server) => `${at.url}/testhub?id=${encodeURIComponent(token)}`

/** Polls until something arrives. */
async function poll(token: string, at = server): Promise<{ status: number; text: string }> {
  const response = await fetch(hub(token, at))
  return { status: response.status, text: await response.text() }
}

/** Resolves when the next request is a waiting poll. */
async function aPollWaits(): Promise<void> {
  await once(server.server, 'request')
  await new Promise((resolve) => setTimeout(resolve, 50))
}

async function startPolling(at = server): Promise<string> {
  const token = await tokenOf(at)
  await poll(token, at)
  await fetch(hub(token, at), { method: 'POST', body: JSON_HELLO })
  expect((await poll(token, at)).text).toBe(`{}${END}`)
  return token
}

async function dial(token: string | null, at = server, hello: string | null = JSON_HELLO) {
  const wire = await openWire(token === null ? `${at.url}/testhub` : hub(token, at), hello)
  closing.push(() => wire.socket.close())
  return wire
}

describe('negotiation', () => {
  test('only POST is taken', async () => {
    expect((await fetch(`${server.url}/testhub/negotiate`)).status).toBe(405)
  })

  test('without a version it is the oldest', async () => {
    const { body } = await negotiate('')
    expect(body.negotiateVersion).toBe(0)
    expect(body.connectionToken).toBeUndefined()
    await dial(body.connectionId)
  })

  test('a newer version is answered by the newest known', async () => {
    expect((await negotiate('?negotiateVersion=7')).body.negotiateVersion).toBe(1)
  })

  test.each(['x', '-1', '1.5'])('version %s opens no connection', async (version) => {
    const { response, body } = await negotiate(`?negotiateVersion=${version}`)
    expect(response.status).toBe(200)
    expect(body).toEqual({ error: expect.any(String) as string })
  })

  test('the transports come in the order of preference', async () => {
    const { body, response } = await negotiate()
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(body.availableTransports).toEqual([
      { transport: 'WebSockets', transferFormats: ['Text', 'Binary'] },
      { transport: 'ServerSentEvents', transferFormats: ['Text'] },
      { transport: 'LongPolling', transferFormats: ['Text', 'Binary'] },
    ])
    expect(Object.keys(body)).not.toContain('ProtocolVersion')
    const less = await negotiate('?negotiateVersion=1', server, '/TestHub-NoWebSockets')
    expect(less.body.availableTransports.map((entry) => entry.transport)).toEqual([
      'ServerSentEvents',
      'LongPolling',
    ])
  })

  test('stateful reconnect is offered only when asked for', async () => {
    expect((await negotiate()).body.useStatefulReconnect).toBeUndefined()
    const { body } = await negotiate('?negotiateVersion=1&useStatefulReconnect=true')
    expect(body.useStatefulReconnect).toBe(true)
  })

  test('the public id opens nothing', async () => {
    const { body } = await negotiate()
    expect(body.connectionToken).not.toContain(body.connectionId)
    expect((await poll(body.connectionId)).status).toBe(404)
    await expect(dial(body.connectionId)).rejects.toThrow('404')
  })

  test('a connection without a transport expires', async () => {
    const token = await tokenOf(hasty)
    await expect.poll(() => poll(token, hasty).then((answer) => answer.status)).toBe(404)
  })

  test('a wrong token is refused with an empty body', async () => {
    for (const path of ['/authorizedhub/negotiate', '/authorizedhub', '/authorizedhub?id=x']) {
      const response = await fetch(server.url + path, {
        method: 'POST',
        headers: { authorization: 'Bearer forged' },
      })
      expect([response.status, await response.text()]).toEqual([401, ''])
    }
  })
})

describe('the endpoint', () => {
  test('a request without an id is refused', async () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await fetch(`${server.url}/testhub`, { method })
      expect([response.status, await response.text()]).toEqual([400, 'Connection ID required'])
    }
  })

  test('an unknown or forged id is not found', async () => {
    const token = await tokenOf()
    const [node = '', random = ''] = token.split('.')
    for (const id of ['x', 'a.b.c', `${node}.${random}.AAAA`, `${token}x`, `${node}.${random}`])
      for (const method of ['GET', 'POST', 'DELETE'])
        expect((await fetch(hub(id), { method })).status).toBe(404)
    await expect(dial('a.b.c')).rejects.toThrow('404')
  })

  test.each(['PUT', 'PATCH'])('%s is not allowed', async (method) => {
    expect((await fetch(hub(await tokenOf()), { method })).status).toBe(405)
  })

  test('the first transport stays the only one', async () => {
    const polled = await startPolling()
    const events = { headers: { accept: 'text/event-stream' } }
    expect((await fetch(hub(polled), events)).status).toBe(400)
    await expect(dial(polled)).rejects.toThrow('400')
    const token = await tokenOf()
    await dial(token)
    expect((await fetch(hub(token), events)).status).toBe(400)
    expect((await poll(token)).status).toBe(400)
    expect((await fetch(hub(token), { method: 'POST', body: 'x' })).status).toBe(405)
    expect((await fetch(hub(token), { method: 'DELETE' })).status).toBe(400)
    await expect(dial(token)).rejects.toThrow('409')
  })

  test('a disabled transport is not found', async () => {
    const { body } = await negotiate('?negotiateVersion=1', server, '/testhub-nowebsockets')
    const url = `${server.url}/testhub-nowebsockets?id=${body.connectionToken}`
    const socket = new WebSocket(url.replace('http', 'ws'))
    const error = await new Promise<Error>((resolve) => socket.on('error', resolve))
    expect(error.message).toContain('404')
  })

  test('an allowed origin may read responses, and the same origin may upgrade', async () => {
    const friend = { origin: 'https://friend.example' }
    const answer = await fetch(`${hasty.url}/testhub`, { headers: friend })
    expect(answer.headers.get('access-control-allow-credentials')).toBe('true')
    const socket = new WebSocket(`${hasty.url}/testhub`.replace('http', 'ws'), {
      origin: hasty.url,
    })
    await once(socket, 'open')
    socket.close()
  })
})

describe('WebSockets', () => {
  test('an upgrade without an id opens a connection', async () => {
    const wire = await dial(null)
    say(wire, { type: 1, invocationId: '1', target: 'Echo', arguments: ['x'] })
    expect(await wire.next()).toEqual({ type: 3, invocationId: '1', result: 'x' })
    wire.socket.close(1000)
    expect(await wire.closed).toBe(1000)
  })

  test('records may be split and merged at will', async () => {
    const wire = await dial(null, server, null)
    const text = `${JSON_HELLO}${JSON.stringify({ type: 1, invocationId: '1', target: 'Echo', arguments: ['x'] })}${END}`
    for (const byte of Buffer.from(text)) wire.socket.send(Buffer.from([byte]), { binary: false })
    expect(await wire.next()).toEqual({})
    expect(await wire.next()).toEqual({ type: 3, invocationId: '1', result: 'x' })
    say(
      wire,
      ...[1, 2, 3].map((n) => ({ type: 1, invocationId: `${n}`, target: 'Echo', arguments: [n] })),
    )
    for (const n of [1, 2, 3])
      expect(await wire.next()).toEqual({ type: 3, invocationId: `${n}`, result: n })
  })

  test('a frame of many small records may exceed the limit of one record', async () => {
    const wire = await dial(null)
    const call = { type: 1, target: 'Echo', arguments: ['x'.repeat(1000)] }
    say(wire, ...Array.from({ length: 100 }, () => call), { ...call, invocationId: 'last' })
    expect(await wire.next()).toMatchObject({ type: 3, invocationId: 'last' })
  })

  test.each([
    ['a record over the limit', `{"type":1,"target":"Echo","arguments":["${'x'.repeat(40_000)}"]}`],
    ['broken JSON', '{"type":1,'],
    ['no type', '{"target":"Echo"}'],
    ['a type in words', '{"type":"1"}'],
    ['no target', '{"type":1,"arguments":[]}'],
    ['no arguments', '{"type":1,"target":"Echo"}'],
    ['a list', '[1]'],
    ['an item without its value', '{"type":2,"invocationId":"1"}'],
    ['a name in other letters', '{"Type":1,"target":"Echo","arguments":[1]}'],
    ['a result and an error', '{"type":3,"invocationId":"1","result":1,"error":"x"}'],
    ['streams that are no texts', '{"type":1,"target":"Echo","arguments":[],"streamIds":[1]}'],
  ])('%s ends the connection without details', async (_what, record) => {
    const wire = await dial(null)
    wire.socket.send(record + END)
    expect(await wire.next()).toEqual({
      type: 7,
      error: 'Connection closed with an error.',
      allowReconnect: true,
    })
    expect(await wire.closed).toBe(1000)
  })

  test('a frame of a megabyte ends only its own connection', async () => {
    const [wire, other] = [await dial(null), await dial(null)]
    wire.socket.send('x'.repeat(1024 * 1024 + 1))
    await wire.closed
    say(other, { type: 1, invocationId: '1', target: 'Echo', arguments: [1] })
    expect(await other.next()).toMatchObject({ result: 1 })
  })

  test('a partial record over the limit is refused early', async () => {
    const wire = await dial(null)
    for (let part = 0; part < 50; part++) wire.socket.send('x'.repeat(1000))
    expect(await wire.next()).toMatchObject({ type: 7 })
    expect(await wire.closed).toBe(1000)
  })

  test('half a frame without a continuation affects nobody else', async () => {
    const port = Number(new URL(hasty.url).port)
    const before = hasty.hub.size()
    const socket = openSocket(port, '127.0.0.1')
    socket.write(
      `GET /testhub HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`,
    )
    socket.write(Buffer.from([0x81, 0xfe]))
    await expect.poll(() => hasty.hub.size()).toBe(before + 1)
    await expect.poll(() => hasty.hub.size(), { timeout: 3000 }).toBe(before)
    socket.destroy()
  })

  test('a thousand calls in a burst are answered in order', async () => {
    const wire = await dial(null)
    const calls = Array.from({ length: 1000 }, (_, n) => ({
      type: 1,
      invocationId: `${n}`,
      target: 'Echo',
      arguments: [n],
    }))
    say(wire, ...calls)
    for (let n = 0; n < 1000; n++) expect(await wire.next()).toMatchObject({ result: n })
  })

  test('a close without a code is answered 1000', async () => {
    const wire = await dial(await tokenOf())
    const stream = (wire.socket as unknown as { _socket: import('node:net').Socket })._socket
    const answer = new Promise<Buffer>((resolve) => stream.on('data', resolve))
    // Masked with zeros, because clients must mask.
    stream.write(Buffer.from([0x88, 0x80, 0, 0, 0, 0]))
    expect([...(await answer)]).toEqual([0x88, 2, 0x03, 0xe8])
  })

  test('calls of one client run one at a time', async () => {
    const wire = await dial(null)
    say(
      wire,
      { type: 1, invocationId: 'slow', target: 'Wait', arguments: [100] },
      { type: 1, invocationId: 'quick', target: 'Echo', arguments: [1] },
    )
    expect(await wire.next()).toMatchObject({ invocationId: 'slow' })
    expect(await wire.next()).toMatchObject({ invocationId: 'quick' })
  })
})

describe('messages', () => {
  test('a call without an id is never answered', async () => {
    const wire = await dial(null)
    say(
      wire,
      { type: 1, target: 'Echo', arguments: [1] },
      { type: 1, target: 'ThrowException', arguments: ['x'] },
      { type: 1, target: 'Nothing', arguments: [] },
      { type: 1, invocationId: 'end', target: 'Echo', arguments: [2] },
    )
    expect(await wire.next()).toEqual({ type: 3, invocationId: 'end', result: 2 })
  })

  test('what is unknown is ignored', async () => {
    const wire = await dial(null)
    say(
      wire,
      { type: 42 },
      { type: 2, invocationId: 'nobody', item: 1 },
      { type: 3, invocationId: 'nobody', result: 1 },
      { type: 5, invocationId: 'nobody' },
      { type: 8, sequenceId: 3 },
      { type: 9, sequenceId: 3 },
      { type: 6 },
      { type: 1, invocationId: 'end', target: 'Echo', arguments: [2], headers: { a: 'b' }, new: 1 },
    )
    expect(await wire.next()).toEqual({ type: 3, invocationId: 'end', result: 2 })
  })

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'what every object has is no method: %s',
    async (target) => {
      const wire = await dial(null)
      say(wire, { type: 1, invocationId: '1', target, arguments: [] })
      expect(await wire.next()).toEqual({
        type: 3,
        invocationId: '1',
        error: `Failed to invoke '${target}' due to an error on the server. HubException: Method does not exist.`,
      })
    },
  )

  test('streams for a method that takes none are refused', async () => {
    const wire = await dial(null)
    say(wire, { type: 1, invocationId: '1', target: 'Echo', arguments: [1], streamIds: ['s'] })
    expect(await wire.next()).toMatchObject({
      error:
        "An unexpected error occurred invoking 'Echo' on the server. HubException: Client sent 1 stream(s), Hub method expects 0.",
    })
  })

  test('a canceled stream is completed', async () => {
    const wire = await dial(null)
    say(wire, { type: 4, invocationId: 's', target: 'InfiniteStream', arguments: [] })
    say(wire, { type: 5, invocationId: 's' })
    const received = [await wire.next(), await wire.next()]
    expect(received).toContainEqual({ type: 3, invocationId: 's' })
  })

  test('pings go out when nothing else does', async () => {
    const wire = await dial(null, hasty)
    expect(await wire.next()).toEqual({ type: 6 })
  })
})

describe('the written JSON', () => {
  test.each([
    [new Date('2026-01-02T03:04:05.120Z'), '2026-01-02T03:04:05.12Z'],
    [new Date(Number.NaN), null],
    [new Uint8Array([255, 254]).buffer, '//4='],
    [Buffer.from('hi'), 'aGk='],
    [new DataView(new Uint8Array([1, 2, 3]).buffer, 1), 'AgM='],
    [{ toJSON: () => ({ at: new Date(0) }) }, { at: '1970-01-01T00:00:00Z' }],
  ])('%o over JSON is %j', (value, written) => {
    const frame = jsonProtocol.write({ type: 3, invocationId: '1', result: { deep: [value] } })
    const { result } = JSON.parse(frame.toString('utf8').slice(0, -1)) as { result: unknown }
    expect(result).toEqual({ deep: [written] })
  })
})

test.each(['', ' '])('an empty secret is refused: %j', (secret) => {
  expect(() => createHubServer({ secret, definition: { methods: {} } })).toThrow('secret')
})

test.each([
  [true, new Error('no place'), 'Connection closed with an error. Error: no place'],
  [false, new Error('no place'), 'Connection closed with an error.'],
  [false, new HubError('no place'), 'Connection closed with an error. HubException: no place'],
])('a refusal in onConnected is told (in detail: %s, %s)', async (detailedErrors, error, words) => {
  const refusing = await startTestServer({
    detailedErrors,
    definition: {
      methods: {},
      onConnected: () => {
        throw error
      },
    },
  })
  const wire = await dial(await tokenOf(refusing), refusing)
  expect(await wire.next()).toEqual({ type: 7, error: words })
  await refusing.close()
})

describe('the handshake', () => {
  test.each([
    [
      'an unknown protocol',
      '{"protocol":"xml","version":1}',
      "The protocol 'xml' is not supported.",
    ],
    [
      'an unknown version',
      '{"protocol":"json","version":9}',
      "The server does not support version 9 of the 'json' protocol.",
    ],
    [
      'no version',
      '{"protocol":"json"}',
      "The server does not support version  of the 'json' protocol.",
    ],
    [
      'a call in its place',
      '{"type":1,"target":"Echo","arguments":[1]}',
      "The protocol '' is not supported.",
    ],
    ['no JSON', 'hello', 'An unexpected error occurred during connection handshake.'],
  ])('%s is refused with an error', async (_what, hello, error) => {
    const wire = await dial(null, server, null)
    wire.socket.send(hello + END)
    expect(await wire.next()).toEqual({ error })
    await wire.closed
  })

  test('a version of 2 and unknown fields are taken', async () => {
    await dial(null, server, `{"version":2,"x":1,"protocol":"json"}${END}`)
  })

  test('a client without a handshake is disconnected', async () => {
    const wire = await dial(null, hasty, null)
    expect(await wire.next()).toEqual({ error: 'Handshake was canceled.' })
    await wire.closed
  })

  test('bytes over events are refused', async () => {
    const token = await tokenOf()
    const events = await openEvents(token)
    await fetch(hub(token), {
      method: 'POST',
      body: `{"protocol":"messagepack","version":1}${END}`,
    })
    expect(await events.next()).toContain(
      "Cannot use the 'messagepack' protocol on the current transport. The transport does not support 'Binary' transfer format.",
    )
    await events.ended
  })
})

test('a version of 1 turns stateful reconnect off', async () => {
  const { body } = await negotiate('?negotiateVersion=1&useStatefulReconnect=true')
  const token = body.connectionToken ?? ''
  const wire = await dial(token)
  await expect(dial(token)).rejects.toThrow('409')
  say(wire, { type: 1, invocationId: '1', target: 'Echo', arguments: [1] })
  expect(await wire.next()).toMatchObject({ result: 1 })
  wire.socket.terminate()
  await expect.poll(() => poll(token).then((answer) => answer.status)).toBe(404)
})

describe('MessagePack', () => {
  test('numbers of any width and a ping of two bytes', async () => {
    const socket = new WebSocket(`${hasty.url}/testhub`.replace('http', 'ws'))
    const frames: Buffer[] = []
    socket.on('message', (data: Buffer) => frames.push(data))
    await new Promise((resolve) => socket.on('open', resolve))
    const call = encode([1, {}, '1', 'Echo', [7]])
    socket.send(
      Buffer.concat([
        Buffer.from(`{"protocol":"messagepack","version":1}${END}`),
        withLength(call),
      ]),
    )
    await expect.poll(() => frames.length).toBeGreaterThan(2)
    expect(frames[0]?.toString()).toBe(`{}${END}`)
    expect(decode(frames[1]?.subarray(1) ?? new Uint8Array())).toEqual([3, {}, '1', 3, 7])
    expect(frames[2]).toEqual(Buffer.from([2, 0x91, 6]))
    socket.close()
  })

  test.each([
    ['broken bytes', withLength(Buffer.from([0xc1, 0xc1]))],
    ['no array', withLength(Buffer.from(encode({ type: 1 })))],
    ['a length over the limit', Buffer.from([0xff, 0xff, 0xff, 0x7f, 1])],
    ['a length without an end', Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff])],
    [
      'a prototype in a map',
      withLength(
        Buffer.concat([
          Buffer.from([0x95, 1, 0x80, 0xa1, 0x31, 0xa4]),
          Buffer.from('Echo'),
          Buffer.from([0x91, 0x81, 0xa9]),
          Buffer.from('__proto__'),
          Buffer.from([1]),
        ]),
      ),
    ],
  ])('%s ends the connection', async (_what, bytes) => {
    const socket = new WebSocket(`${server.url}/testhub`.replace('http', 'ws'))
    const closed = new Promise((resolve) => socket.on('close', resolve))
    await new Promise((resolve) => socket.on('open', resolve))
    socket.send(`{"protocol":"messagepack","version":1}${END}`)
    socket.send(bytes)
    expect(await closed).toBe(1000)
  })
})

interface Events {
  response: IncomingMessage
  next(): Promise<string>
  ended: Promise<void>
}

function openEvents(token: string, at = server): Promise<Events> {
  return new Promise((resolve, reject) => {
    const request = openRequest(hub(token, at), { headers: { accept: 'text/event-stream' } })
    request.on('error', reject)
    request.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      const ended = new Promise<void>((done) => response.on('close', done))
      const next = async () => {
        await expect.poll(() => /data: .*\r\n\r\n/.test(text)).toBe(true)
        const end = text.indexOf('\r\n\r\n')
        const event = text.slice(0, end)
        text = text.slice(end + 4)
        return event.slice(event.indexOf('data: ') + 6)
      }
      resolve({ response, next, ended })
    })
    request.end()
  })
}

describe('server-sent events', () => {
  test('the headers come at once, and one event a frame', async () => {
    const token = await tokenOf()
    const events = await openEvents(token)
    expect(events.response.headers['content-type']).toBe('text/event-stream')
    expect(events.response.headers['x-accel-buffering']).toBe('no')
    expect(events.response.headers['content-encoding']).toBeUndefined()
    await fetch(hub(token), { method: 'POST', body: JSON_HELLO })
    expect(await events.next()).toBe(`{}${END}`)
    const again = await fetch(hub(token), { headers: { accept: 'text/event-stream' } })
    expect(again.status).toBe(409)
    expect((await fetch(hub(token), { method: 'DELETE' })).status).toBe(400)
    events.response.destroy()
    await expect
      .poll(() => fetch(hub(token), { method: 'POST' }).then((answer) => answer.status))
      .toBe(404)
  })

  test('pings go out here too', async () => {
    const token = await tokenOf(hasty)
    const events = await openEvents(token, hasty)
    await fetch(hub(token, hasty), { method: 'POST', body: JSON_HELLO })
    expect(await events.next()).toBe(`{}${END}`)
    expect(await events.next()).toBe(`{"type":6}${END}`)
    events.response.destroy()
  })
})

describe('long polling', () => {
  test('the first poll is answered at once, empty', async () => {
    const token = await tokenOf()
    expect(await poll(token)).toEqual({ status: 200, text: '' })
  })

  test('a poll gathers all that waits', async () => {
    const token = await startPolling()
    const calls = [1, 2].map((n) =>
      JSON.stringify({ type: 1, invocationId: `${n}`, target: 'Echo', arguments: [n] }),
    )
    await fetch(hub(token), { method: 'POST', body: calls.join(END) + END })
    await expect
      .poll(async () => (await poll(token)).text.split(END).length - 1, { interval: 1 })
      .toBeGreaterThan(0)
  })

  test('an empty poll ends after its time', async () => {
    const token = await startPolling(hasty)
    const response = await fetch(hub(token, hasty))
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '0'])
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('a new poll ends the old one', async () => {
    const token = await startPolling()
    const waits = aPollWaits()
    const old = poll(token)
    await waits
    const young = poll(token)
    expect((await old).status).toBe(204)
    await fetch(hub(token), {
      method: 'POST',
      body: `{"type":1,"invocationId":"1","target":"Echo","arguments":[1]}${END}`,
    })
    expect((await young).text).toContain('"result":1')
  })

  test('an aborted poll loses nothing', async () => {
    const token = await startPolling()
    const aborting = new AbortController()
    const waits = aPollWaits()
    const aborted = fetch(hub(token), { signal: aborting.signal }).catch(() => 'aborted')
    await waits
    aborting.abort()
    expect(await aborted).toBe('aborted')
    await fetch(hub(token), {
      method: 'POST',
      body: `{"type":1,"invocationId":"1","target":"Echo","arguments":[1]}${END}`,
    })
    expect((await poll(token)).text).toContain('"result":1')
  })

  test('there are no pings and no silence timeout', async () => {
    const token = await startPolling(hasty)
    for (let round = 0; round < 3; round++) expect((await poll(token, hasty)).text).toBe('')
  })

  test('a client that stops polling is forgotten', async () => {
    const token = await startPolling(hasty)
    await new Promise((resolve) => setTimeout(resolve, 800))
    expect((await fetch(hub(token, hasty), { method: 'POST', body: '' })).status).toBe(404)
  })

  test('DELETE ends the pending poll and the connection', async () => {
    const token = await startPolling()
    const waits = aPollWaits()
    const pending = poll(token)
    await waits
    expect((await fetch(hub(token), { method: 'DELETE' })).status).toBe(202)
    expect((await pending).status).toBe(204)
    expect((await poll(token)).status).toBe(404)
  })

  test('the end is told once, then the connection is unknown', async () => {
    const token = await startPolling()
    await fetch(hub(token), {
      method: 'POST',
      body: `{"type":1,"target":"Abort","arguments":[]}${END}`,
    })
    expect((await poll(token)).text).toBe(`{"type":7}${END}`)
    expect((await poll(token)).status).toBe(204)
    expect((await poll(token)).status).toBe(404)
  })

  test('posts at the same time are handled one after the other', async () => {
    const token = await startPolling()
    const posts = Array.from({ length: 20 }, (_, n) =>
      fetch(hub(token), {
        method: 'POST',
        body: `{"type":1,"invocationId":"${n}","target":"Echo","arguments":[${n}]}${END}`,
      }),
    )
    const statuses = await Promise.all(posts)
    expect(new Set(statuses.map((answer) => answer.status))).toEqual(new Set([200]))
    let text = ''
    await expect
      .poll(async () => {
        text += (await poll(token)).text
        return text.split(END).length - 1
      })
      .toBe(20)
  })

  test('a body over the limit is refused', async () => {
    const token = await startPolling()
    const response = await fetch(hub(token), { method: 'POST', body: 'x'.repeat(1024 * 1024 + 1) })
    expect(response.status).toBe(413)
  })
})
