/** Tests sentences of the protocol documents that no other test covers. */
import { decode, encode } from '@msgpack/msgpack'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { withLength } from '../src/protocol/messagepack-protocol.ts'
import { closeAfterEach, negotiate } from '../testing/clients.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { JSON_HELLO, openWire, say, type Wire } from '../testing/wire.ts'

const END = '\u001e'
const STATEFUL_HELLO = `{"protocol":"json","version":2}${END}`
const closing = closeAfterEach()
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => {
  await server.close()
})

async function dial(url = `${server.url}/testhub`, hello: string | null = JSON_HELLO) {
  const wire = await openWire(url, hello)
  closing.push(() => wire.socket.close())
  return wire
}
const call = (invocationId: string, target: string, ...args: unknown[]) => ({
  type: 1,
  invocationId,
  target,
  arguments: args,
})
const answered = (invocationId: string, result?: unknown) => ({
  type: 3,
  invocationId,
  ...(result !== undefined && { result }),
})

describe('invocations', () => {
  test.each(['1', 'a b', 'мир 🎉', '"\\\u0000', 'x'.repeat(5000)])(
    'an id comes back as it was: %j',
    async (id) => {
      const wire = await dial()
      say(wire, call(id, 'Echo', 1))
      expect(await wire.next()).toEqual(answered(id, 1))
    },
  )

  test('a method that gives nothing is completed without a result', async () => {
    const wire = await dial()
    say(wire, call('1', 'JoinGroup', 'some'))
    expect(await wire.next()).toEqual(answered('1'))
  })

  test('a canceled call is completed like any other', async () => {
    const wire = await dial()
    say(wire, call('1', 'Wait', 100), { type: 5, invocationId: '1' }, call('2', 'Echo', 2))
    expect(await wire.next()).toEqual(answered('1'))
    expect(await wire.next()).toEqual(answered('2', 2))
  })

  test('both sides may use one id at the same time', async () => {
    const wire = await dial()
    say(wire, call('first', 'AskCaller', 'Result'))
    const { invocationId } = (await wire.next()) as { invocationId: string }
    say(wire, { type: 3, invocationId, result: 1 })
    expect(await wire.next()).toEqual(answered('first', 'got 1'))
    // The server's ids count up.
    const next = invocationId.replace(/\d+$/, (number) => String(Number(number) + 1))
    say(wire, call(next, 'AskCaller', 'Result'))
    expect(await wire.next()).toEqual({
      type: 1,
      invocationId: next,
      target: 'Result',
      arguments: [],
    })
    say(wire, { type: 3, invocationId: next, result: 2 })
    expect(await wire.next()).toEqual(answered(next, 'got 2'))
  })

  test('an event has no id, and its arguments in a list', async () => {
    const wire = await dial()
    say(wire, { type: 1, target: 'InvokeWithString', arguments: ['hello'] })
    expect(await wire.next()).toEqual({ type: 1, target: 'Message', arguments: ['hello'] })
  })
})

describe('streams', () => {
  test('each result is an item, and the completion has none', async () => {
    const wire = await dial()
    say(wire, { ...call('s', 'Stream'), type: 4 })
    for (const item of ['a', 'b', 'c'])
      expect(await wire.next()).toEqual({ type: 2, invocationId: 's', item })
    expect(await wire.next()).toEqual(answered('s'))
  })

  test('what was given before a fault comes before the error', async () => {
    const wire = await dial()
    say(wire, { ...call('s', 'StreamFailure', 2), type: 4 })
    for (const item of [0, 1])
      expect(await wire.next()).toEqual({ type: 2, invocationId: 's', item })
    expect(await wire.next()).toMatchObject({
      type: 3,
      invocationId: 's',
      error: expect.stringContaining('Ran out of data!') as string,
    })
  })

  test('one whose id is in use is refused, and the other goes on', async () => {
    const wire = await dial()
    const stream = { ...call('s', 'InfiniteStream'), type: 4 }
    say(wire, stream, stream, call('1', 'Echo', 1))
    expect(await wire.next()).toMatchObject({ error: "Invocation ID 's' is already in use." })
    expect(await wire.next()).toEqual(answered('1', 1))
    say(wire, { type: 5, invocationId: 's' })
    const received = [await wire.next(), await wire.next()]
    expect(received).toContainEqual({ type: 1, target: 'StreamCanceled', arguments: [] })
    expect(received).toContainEqual(answered('s'))
  })

  test('nothing comes of one that was canceled after its completion', async () => {
    const wire = await dial()
    say(wire, { ...call('s', 'Count', 1_000_000), type: 4 })
    await wire.next()
    say(wire, { type: 5, invocationId: 's' })
    while (((await wire.next()) as { type: number }).type === 2);
    say(wire, call('1', 'Echo', 1))
    expect(await wire.next()).toEqual(answered('1', 1))
  })

  test('an upload comes under its own id, and what follows its end is let go', async () => {
    const wire = await dial()
    const item = (text: string) => ({ type: 2, invocationId: 'up', item: text })
    say(wire, { ...call('1', 'StreamingConcat'), streamIds: ['up'] }, item('a'), item('b'))
    say(wire, { type: 3, invocationId: 'up' })
    expect(await wire.next()).toEqual(answered('1', 'ab'))
    say(wire, item('c'), { type: 3, invocationId: 'up' }, call('2', 'Echo', 2))
    expect(await wire.next()).toEqual(answered('2', 2))
  })
})

test('an upload may be over before its method begins', async () => {
  const wire = await dial()
  const item = (text: string) => ({ type: 2, invocationId: 'up', item: text })
  say(wire, call('1', 'Wait', 50), { ...call('2', 'StreamingConcat'), streamIds: ['up'] })
  say(wire, item('a'), item('b'), { type: 3, invocationId: 'up' })
  expect(await wire.next()).toEqual(answered('1'))
  expect(await wire.next()).toEqual(answered('2', 'ab'))
})

describe('the end', () => {
  test('a Close of the client ends its connection', async () => {
    const wire = await dial()
    say(wire, { type: 7 })
    expect(await wire.closed).toBe(1000)
  })

  test.each([
    ['too large', 'x'.repeat(1024 * 1024 + 1), 1009],
    ['no UTF-8', Buffer.from([0xc3, 0x28]), 1007],
  ])('a frame that is %s is answered by the code for it', async (_what, frame, code) => {
    const wire = await dial()
    wire.socket.send(frame, { binary: false })
    expect(await wire.closed).toBe(code)
  })

  test('an upgrade during which something fails is answered 500', async () => {
    const faults: unknown[] = []
    const failing = await startTestServer({
      authenticate: () => Promise.reject(new Error('the database has gone')),
      onFault: (error) => faults.push(error),
    })
    await expect(openWire(`${failing.url}/testhub`)).rejects.toThrow('500')
    const negotiation = await fetch(`${failing.url}/testhub/negotiate`, { method: 'POST' })
    expect([negotiation.status, await negotiation.text()]).toEqual([500, ''])
    expect(faults).toHaveLength(2)
    await failing.close()
  })
})

/** Frames of a client with MessagePack. */
async function dialBytes() {
  const socket = new WebSocket(`${server.url}/testhub`.replace('http', 'ws'))
  const frames: { bytes: Buffer; isBinary: boolean }[] = []
  socket.on('message', (bytes: Buffer, isBinary) => frames.push({ bytes, isBinary }))
  await new Promise((resolve) => socket.on('open', resolve))
  socket.send(`{"protocol":"messagepack","version":1}${END}`)
  await expect.poll(() => frames.length).toBe(1)
  expect(frames.shift()?.bytes.toString()).toBe(`{}${END}`)
  const next = async () => {
    await expect.poll(() => frames.length).toBeGreaterThan(0)
    const { bytes = Buffer.alloc(0), isBinary } = frames.shift() ?? {}
    expect(isBinary).toBe(true)
    // The last byte of the length prefix is the first one below 128.
    const head = bytes.findIndex((byte) => byte < 0x80) + 1
    return decode(bytes.subarray(head))
  }
  return { socket, next, say: (...message: unknown[]) => socket.send(withLength(encode(message))) }
}

describe('MessagePack', () => {
  test('answers have the kinds of the document', async () => {
    const { socket, next, say: tell } = await dialBytes()
    tell(1, { some: 'header' }, 'a', 'Echo', [[1, 'x', null]], [])
    expect(await next()).toEqual([3, {}, 'a', 3, [1, 'x', null]])
    tell(1, {}, 'b', 'JoinGroup', ['some'], [])
    expect(await next()).toEqual([3, {}, 'b', 2])
    tell(1, {}, 'c', 'Nothing', [], [])
    const words =
      "Failed to invoke 'Nothing' due to an error on the server. HubException: Method does not exist."
    expect(await next()).toEqual([3, {}, 'c', 1, words])
    // A call without an id gets no response; then comes an event, whose id is nil.
    tell(1, {}, null, 'Nothing', [], [])
    tell(1, {}, null, 'InvokeWithString', ['hi'], [])
    expect(await next()).toEqual([1, {}, null, 'Message', ['hi'], []])
    socket.close()
  })

  test('streams both ways, cancellation and goodbye are arrays', async () => {
    const { socket, next, say: tell } = await dialBytes()
    tell(4, {}, 's', 'Stream', [], [])
    for (const item of ['a', 'b', 'c']) expect(await next()).toEqual([2, {}, 's', item])
    expect(await next()).toEqual([3, {}, 's', 2])
    tell(1, {}, '1', 'StreamingConcat', [], ['up'])
    tell(2, {}, 'up', 'x'.repeat(200))
    tell(3, {}, 'up', 2)
    expect(await next()).toEqual([3, {}, '1', 3, 'x'.repeat(200)])
    tell(4, {}, 'i', 'InfiniteStream', [], [])
    tell(5, {}, 'i')
    const received = [await next(), await next()]
    expect(received).toContainEqual([3, {}, 'i', 2])
    tell(1, {}, null, 'Abort', [], [])
    expect(await next()).toEqual([7, null, false])
    socket.close()
  })

  test.each([1, 127, 128, 16_383, 16_384])(
    'a length of %i bytes is read and written',
    async (size) => {
      const { socket, next, say: tell } = await dialBytes()
      tell(1, {}, '1', 'Echo', ['x'.repeat(size)], [])
      expect(await next()).toEqual([3, {}, '1', 3, 'x'.repeat(size)])
      socket.close()
    },
  )
})

test('texts go in frames of text', async () => {
  const socket = new WebSocket(`${server.url}/testhub`.replace('http', 'ws'))
  const kinds: boolean[] = []
  socket.on('message', (_bytes, isBinary) => kinds.push(isBinary))
  await new Promise((resolve) => socket.on('open', resolve))
  socket.send(`${JSON_HELLO}{"type":1,"invocationId":"1","target":"Echo","arguments":[1]}${END}`)
  await expect.poll(() => kinds).toEqual([false, false])
  socket.close()
})

describe('stateful reconnect', () => {
  async function begin() {
    const { own } = await negotiate(`${server.url}/testhub`, '&useStatefulReconnect=true')
    return { url: own, wire: await dial(own, STATEFUL_HELLO) }
  }
  /** Skips acknowledgements, which arrive at any time. */
  async function nextOf(wire: Wire): Promise<unknown> {
    for (;;) {
      const message = (await wire.next()) as { type: number }
      if (message.type !== 8 && message.type !== 6) return message
    }
  }

  test('only messages of the first five kinds are counted and acknowledged', async () => {
    const { wire } = await begin()
    const cancel = { type: 5, invocationId: 'nobody' }
    say(wire, { type: 6 }, call('1', 'Echo', 1), { type: 6 }, cancel, { type: 8, sequenceId: 0 })
    expect(await wire.next()).toEqual(answered('1', 1))
    expect(await wire.next()).toEqual({ type: 8, sequenceId: 2 })
  })

  test('what was not acknowledged comes again behind a Sequence, in its order', async () => {
    const { url, wire } = await begin()
    say(wire, call('1', 'Echo', 1), call('2', 'Echo', 2), call('3', 'Echo', 3))
    for (const n of [1, 2, 3]) expect(await nextOf(wire)).toEqual(answered(`${n}`, n))
    say(wire, { type: 8, sequenceId: 1 }, call('4', 'Echo', 4))
    expect(await nextOf(wire)).toEqual(answered('4', 4))
    wire.socket.terminate()
    const again = await dial(url, null)
    expect(await again.next()).toEqual({ type: 9, sequenceId: 2 })
    for (const n of [2, 3, 4]) expect(await nextOf(again)).toEqual(answered(`${n}`, n))
  })

  test('a Sequence comes also where nothing comes again', async () => {
    const { url, wire } = await begin()
    say(wire, call('1', 'Echo', 1))
    expect(await nextOf(wire)).toEqual(answered('1', 1))
    say(wire, { type: 8, sequenceId: 1 }, { ...call('s', 'EmptyStream'), type: 4 })
    expect(await nextOf(wire)).toEqual(answered('s'))
    say(wire, { type: 8, sequenceId: 2 }, call('2', 'Echo', 2), { type: 8, sequenceId: 3 })
    expect(await nextOf(wire)).toEqual(answered('2', 2))
    wire.socket.terminate()
    const again = await dial(url, null)
    expect(await again.next()).toEqual({ type: 9, sequenceId: 4 })
  })

  test('what a client says twice is taken once', async () => {
    const { url, wire } = await begin()
    say(wire, call('1', 'Echo', 1), call('2', 'Echo', 2))
    for (const n of [1, 2]) expect(await nextOf(wire)).toEqual(answered(`${n}`, n))
    say(wire, { type: 8, sequenceId: 2 }, call('3', 'Echo', 3))
    expect(await nextOf(wire)).toEqual(answered('3', 3))
    wire.socket.terminate()
    const again = await dial(url, null)
    expect(await again.next()).toEqual({ type: 9, sequenceId: 3 })
    expect(await nextOf(again)).toEqual(answered('3', 3))
    say(again, { type: 9, sequenceId: 2 }, call('2', 'Echo', 2), call('3', 'Echo', 3))
    say(again, call('4', 'Echo', 4))
    expect(await nextOf(again)).toEqual(answered('4', 4))
  })
})
