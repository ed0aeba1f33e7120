/** Tests clients that send or read slowly, that POST without waiting, and that call without end. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { Connection } from '../src/connections/connection.ts'
import type { HubDefinition } from '../src/hub.ts'
import { DEFAULT_LIMITS, type Limits } from '../src/limits.ts'
import type { Transport } from '../src/transports/transport.ts'
import { closeAfterEach, negotiate } from '../testing/clients.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../testing/test-server.ts'
import { openWire, say } from '../testing/wire.ts'

const END = '\u001e'
const HELLO = `{"protocol":"json","version":1}${END}`
const MB = 1024 * 1024
/** The hub's timer runs as often as its shortest timeout requires. */
const OFTEN = { ackMs: 40, closeMs: 100 }

const closing = closeAfterEach()

async function serve(limits: Partial<Limits> = {}, more: TestServerOptions = {}) {
  const reasons: (string | null)[] = []
  const server = await startTestServer({
    limits: { ...OFTEN, ...limits },
    observer: {
      disconnected: ({ dropped }) => {
        reasons.push(dropped)
      },
    },
    ...more,
  })
  const sockets: Socket[] = []
  server.server.on('connection', (socket: Socket) => sockets.push(socket))
  closing.push(server.close)
  return { server, reasons, sockets }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
/** Writes single bytes slowly until the other side closes. */
async function dribble(socket: Socket, bytes: Buffer) {
  for (const byte of bytes) {
    if (socket.destroyed || socket.readableEnded) return
    socket.write(Buffer.from([byte]))
    await wait(20)
  }
}

async function startPolling({ url }: TestServer): Promise<string> {
  const { own: place } = await negotiate(`${url}/testhub`)
  await fetch(place)
  await fetch(place, { method: 'POST', body: HELLO })
  await (await fetch(place)).text()
  return place
}

/** Opens a raw HTTP request, because a client library would hide the details. */
function openRaw(place: string, method: string, headers = ''): Socket {
  const { hostname, port, pathname, search } = new URL(place)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(`${method} ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\n${headers}\r\n`)
  closing.push(async () => socket.destroy())
  return socket
}

const call = (n: number, target: string, value: unknown) =>
  JSON.stringify({ type: 1, invocationId: `${n}`, target, arguments: [value] }) + END

/** Fills the queue of calls, so that reading pauses until the first one has run. */
const busy = (ms: number) =>
  call(0, 'Wait', ms) + Array.from({ length: 70 }, (_, n) => call(n + 1, 'Echo', n)).join('')

test('waiting POSTs are not read, and their number is limited', async () => {
  const held = Promise.withResolvers<null>()
  const definition: HubDefinition = {
    methods: { Hold: () => held.promise, Echo: (_context, n) => n },
  }
  const { server, sockets } = await serve({ waitingPosts: 10 }, { definition })
  const place = await startPolling(server)
  const calls = Array.from({ length: 70 }, (_, n) => call(n + 1, 'Echo', n)).join('')
  // It is answered when the queue has room, so all others wait behind it.
  const first = fetch(place, {
    method: 'POST',
    body: `{"type":1,"target":"Hold","arguments":[]}${END}${calls}`,
  })
  await expect.poll(() => server.hub.load().waitingCalls).toBe(70)
  const before = sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0)
  const body = Buffer.alloc(MB - 100, 'x').fill(END, MB - 101)
  let refused = 0
  const posts = Array.from({ length: 30 }, () =>
    fetch(place, { method: 'POST', body }).then(
      ({ status }) => {
        if (status === 429) refused += 1
      },
      // The client may notice the cut before the refusal.
      () => {
        refused += 1
      },
    ),
  )
  await expect.poll(() => refused).toBe(21)
  // Refused ones are soon closed; waiting ones stay unread.
  const read = () =>
    sockets.reduce((sum, { destroyed, bytesRead }) => sum + (destroyed ? 0 : bytesRead), 0) - before
  await expect.poll(read).toBeLessThan(3 * MB)
  held.resolve(null)
  expect((await first).status).toBe(200)
  await Promise.all(posts)
})

test('an endless body is refused in time, and the next one is accepted', async () => {
  const { server } = await serve({ bodyMs: 200 })
  const place = await startPolling(server)
  const socket = openRaw(place, 'POST', 'Content-Length: 1000\r\n')
  const answer: Buffer[] = []
  socket.on('data', (data: Buffer) => answer.push(data))
  await Promise.all([once(socket, 'close'), dribble(socket, Buffer.alloc(1000, 'x'))])
  expect(Buffer.concat(answer).toString()).toMatch(/^HTTP\/1\.1 408 /)
  expect((await fetch(place, { method: 'POST', body: call(1, 'Echo', 1) })).status).toBe(200)
  expect(await (await fetch(place)).text()).toContain('"result":1')
})

test('a POST aborted while it waits delays nobody', async () => {
  const { server } = await serve()
  const place = await startPolling(server)
  const first = fetch(place, { method: 'POST', body: busy(300) })
  await wait(50)
  const aborted = openRaw(place, 'POST', 'Content-Length: 1000\r\n')
  await wait(50)
  aborted.destroy()
  expect((await first).status).toBe(200)
  expect((await fetch(place, { method: 'POST', body: call(99, 'Echo', 99) })).status).toBe(200)
})

test('a message sent byte by byte ends its connection over sockets', async () => {
  const { server, reasons } = await serve({ messageMs: 200 })
  const wire = await openWire(`${server.url}/testhub`)
  const sending = setInterval(() => wire.socket.send('x'), 20)
  await wire.closed
  clearInterval(sending)
  expect(reasons).toEqual(['silent'])
})

test('a message sent byte by byte ends its connection over POSTs', async () => {
  const { server, reasons } = await serve({ messageMs: 200 })
  const place = await startPolling(server)
  let status = 200
  while (status === 200) {
    status = (await fetch(place, { method: 'POST', body: 'x' })).status
    await wait(20)
  }
  expect([status, reasons]).toEqual([404, ['silent']])
})

test('a frame sent byte by byte ends its connection', async () => {
  const { server, reasons } = await serve({ messageMs: 200 })
  const wire = await openWire(`${server.url}/testhub`)
  const raw = Reflect.get(wire.socket, '_socket') as Socket
  // A masked text frame of 125 bytes.
  const frame = Buffer.concat([Buffer.from([0x81, 0xfd, 0, 0, 0, 0]), Buffer.alloc(125, 'x')])
  await Promise.all([wire.closed, dribble(raw, frame)])
  expect(reasons).toEqual(['slow'])
})

test('while calls are queued no timeout applies, and partial messages complete afterwards', async () => {
  const { server } = await serve({ messageMs: 150 })
  const wire = await openWire(`${server.url}/testhub`)
  const late = call(100, 'Echo', 'late')
  wire.socket.send(busy(500) + late.slice(0, 10))
  wire.socket.send(late.slice(10))
  let last: unknown
  for (let n = 0; n < 72; n++) last = await wire.next()
  expect(last).toEqual({ type: 3, invocationId: '100', result: 'late' })
  wire.socket.close()
})

test('exceeding the message rate ends the connection', async () => {
  const { server, reasons } = await serve({ messagesASecond: 10 })
  const pings = (count: number) => Array.from({ length: count }, () => ({ type: 6 }))
  const wire = await openWire(`${server.url}/testhub`)
  say(wire, ...pings(90), { type: 1, invocationId: '1', target: 'Echo', arguments: [1] })
  expect(await wire.next()).toEqual({ type: 3, invocationId: '1', result: 1 })
  say(wire, ...pings(30))
  await wire.closed
  expect(reasons).toEqual(['protocol'])
})

test('a message in very many frames or fragments needs no more memory than its size', async () => {
  const { server, reasons } = await serve()
  const wire = await openWire(`${server.url}/testhub`)
  const echo = call(1, 'Echo', 'x'.repeat(20_000))
  for (const character of echo) wire.socket.send(character)
  expect(await wire.next()).toMatchObject({ result: 'x'.repeat(20_000) })
  for (let n = 0; n < 2000; n++) wire.socket.send('x', { fin: false })
  await wire.closed
  await expect.poll(() => reasons).toHaveLength(1)
})

test('calls over the rate limit fail, and a client that continues is disconnected', async () => {
  let open = true
  const stay = {
    leave: () => {},
    call: () => (open ? null : { seconds: 1, text: 'Not so fast.' }),
  }
  const admission = { knock: () => null, enter: () => stay }
  const { server, reasons } = await serve({ refusedCalls: 3 }, { admission })
  const wire = await openWire(`${server.url}/testhub`)
  const echo = { type: 1, invocationId: '1', target: 'Echo', arguments: [1] }
  const error =
    "An unexpected error occurred invoking 'Echo' on the server. HubException: Not so fast."
  for (const isOpen of [false, true, false]) {
    open = isOpen
    for (let n = 0; n < 3; n++) {
      say(wire, echo)
      const answer = isOpen ? { result: 1 } : { error }
      expect(await wire.next()).toEqual({ type: 3, invocationId: '1', ...answer })
    }
  }
  say(wire, echo)
  expect(await wire.next()).toEqual({ type: 7, error: 'Not so fast.' })
  await wire.closed
  expect(reasons).toEqual(['protocol'])
})

test('a response that nobody reads is cut off', async () => {
  const { server, sockets } = await serve({ drainMs: 200 })
  const place = await startPolling(server)
  await fetch(place, { method: 'POST', body: call(1, 'Blob', 15 * MB) })
  const socket = openRaw(place, 'GET')
  socket.pause()
  await once(server.server, 'connection')
  const other = sockets.at(-1)
  await expect.poll(() => other?.destroyed).toBe(true)
})

/** A connection over a transport that the test controls. */
function createConnection(limits: Partial<Limits>) {
  let ended: Error | undefined | null = null
  let waiting = 0
  const connection = new Connection(
    { id: 'id', token: 'token', user: null, stateful: false, stay: { leave: () => {} } },
    { ...DEFAULT_LIMITS, ...limits },
    () => ({
      opened: () => {},
      received: () => undefined,
      mayResume: () => false,
      lost: () => {},
      resumed: () => {},
      ended: (error) => {
        ended = error
      },
      tick: () => {},
    }),
    () => {},
  )
  const transport: Transport = {
    name: 'WebSockets',
    supportsBinary: true,
    write: (frame) => {
      waiting += frame.length
    },
    bufferedBytes: () => waiting,
    end: () => {},
    destroy: () => {},
  }
  connection.attach(transport, '{}' as Parameters<Connection['attach']>[1])
  const take = (bytes: number) => {
    waiting = Math.max(0, waiting - bytes)
  }
  return { connection, take, ended: () => ended }
}

test('a client that reads very slowly is dropped, however little is queued', () => {
  const { connection, take, ended } = createConnection({})
  connection.write(Buffer.alloc(1000), false)
  for (let seconds = 0; seconds <= 30; seconds++) {
    if (seconds % 25 === 24) take(1)
    connection.tick(seconds * 1000)
    expect(ended()).toBeNull()
  }
  connection.tick(31_000)
  expect(ended()).toMatchObject({ reason: 'slow' })
})

test('a client that reads the queued output stays, even if something is always queued', () => {
  const { connection, take, ended } = createConnection({})
  for (let seconds = 0; seconds < 300; seconds++) {
    connection.write(Buffer.alloc(500), false)
    if (seconds > 20) take(500)
    connection.tick(seconds * 1000)
  }
  expect(ended()).toBeNull()
  expect(connection.waiting()).toBeGreaterThan(0)
})
