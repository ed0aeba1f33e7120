/** Ten thousand invalid frames from a fixed seed: none may end the process or leave anything behind. */
import { encode } from '@msgpack/msgpack'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createLocalBackplane } from '../src/backplane/backplane.ts'
import { withLength } from '../src/protocol/messagepack-protocol.ts'
import { closeAfterEach } from '../testing/clients.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_125)
const FRAMES = 10_000
const FRAMES_EACH = 20
const AT_ONCE = 25
const END = '\u001e'

const closing = closeAfterEach()

const TARGETS = ['Echo', 'echo', 'Stream', 'StreamingConcat', 'Count', 'JoinGroup', '__proto__', '']
const id = fc.constantFrom('1', '2', 's1', '', null)
const value = fc.anything({ withNullPrototype: false, maxDepth: 3 })
/** A similar object with correct, wrong or missing fields. */
const message = fc.record(
  {
    type: fc.oneof(fc.integer({ min: 1, max: 9 }), value),
    invocationId: fc.oneof(id, value),
    target: fc.oneof(fc.constantFrom(...TARGETS), value),
    arguments: fc.oneof(fc.array(value, { maxLength: 2 }), value),
    streamIds: fc.oneof(fc.array(id, { maxLength: 3 }), value),
    item: value,
    result: value,
    error: fc.oneof(fc.string(), value),
    sequenceId: fc.oneof(fc.integer(), value),
    headers: value,
    allowReconnect: value,
  },
  { requiredKeys: [] },
)
const parts = fc.tuple(
  fc.oneof(fc.integer({ min: 1, max: 9 }), value),
  value,
  fc.oneof(id, value),
  fc.oneof(fc.constantFrom(...TARGETS), value),
  fc.oneof(fc.array(value, { maxLength: 2 }), value),
  fc.array(id, { maxLength: 2 }),
)

const asText = (given: unknown) => {
  try {
    return Buffer.from((JSON.stringify(given) ?? '') + END)
  } catch {
    return Buffer.from(END)
  }
}
const asBytes = (given: unknown) => {
  try {
    return withLength(encode(given))
  } catch {
    return Buffer.from([2, 0x91, 6])
  }
}
const raw = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes))
const textFrame = fc.oneof(
  message.map(asText),
  raw,
  fc.json().map((json) => Buffer.from(json + END)),
)
const binaryFrame = fc.oneof(parts.map(asBytes), raw)

/** A client that may send a handshake, and then arbitrary messages. */
const life = fc.oneof(
  fc.record({
    hello: fc.constantFrom('{"protocol":"json","version":1}', '{"protocol":"json","version":2}'),
    frames: fc.array(textFrame, { minLength: FRAMES_EACH, maxLength: FRAMES_EACH }),
  }),
  fc.record({
    hello: fc.constant('{"protocol":"messagepack","version":1}'),
    frames: fc.array(binaryFrame, { minLength: FRAMES_EACH, maxLength: FRAMES_EACH }),
  }),
  fc.record({
    hello: fc.constant(null),
    frames: fc.array(fc.oneof(textFrame, binaryFrame), {
      minLength: FRAMES_EACH,
      maxLength: FRAMES_EACH,
    }),
  }),
)

async function live({ url }: TestServer, hello: string | null, frames: readonly Buffer[]) {
  const socket = new WebSocket(`${url}/testhub`.replace('http', 'ws'))
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.on('close', resolve))
  await new Promise((resolve) => socket.on('open', resolve))
  if (hello !== null) socket.send(hello + END)
  for (const frame of frames) socket.send(frame, { binary: true })
  // The close frame comes after all frames, so they have been read when it is answered.
  socket.close()
  await closed
}

test('ten thousand random frames end no process and leave nothing behind', async () => {
  const channels = new Set<string>()
  const faults: unknown[] = []
  const server = await startTestServer({
    backplane: {
      ...createLocalBackplane('lone'),
      subscribe: (channel) => {
        channels.add(channel)
        return Promise.resolve()
      },
      unsubscribe: (channel) => void channels.delete(channel),
    },
    limits: { closeMs: 200 },
    onFault: (error, where) => {
      // Methods may fail because of their arguments, but the library may not.
      const isMethods = TARGETS.some((name) => name.toLowerCase() === where.toLowerCase())
      if (!isMethods) faults.push([where, error])
    },
  })
  closing.push(server.close)
  const lives = fc.sample(life, { numRuns: FRAMES / FRAMES_EACH, seed: SEED })
  for (let place = 0; place < lives.length; place += AT_ONCE)
    await Promise.all(
      lives.slice(place, place + AT_ONCE).map(({ hello, frames }) => live(server, hello, frames)),
    )
  expect(faults).toEqual([])
  await expect.poll(() => server.hub.size()).toBe(0)
  expect([...channels]).toEqual([])
  expect(server.hub.load()).toEqual({ connections: 0, waitingBytes: 0, waitingCalls: 0 })
  const valid = new WebSocket(`${server.url}/testhub`.replace('http', 'ws'))
  const received: string[] = []
  valid.on('message', (data: Buffer) => received.push(...data.toString('utf8').split(END)))
  await new Promise((resolve) => valid.on('open', resolve))
  valid.send(`{"protocol":"json","version":1}${END}`)
  valid.send(`{"type":1,"invocationId":"1","target":"Echo","arguments":["x"]}${END}`)
  await expect.poll(() => received).toContain('{"type":3,"invocationId":"1","result":"x"}')
  valid.terminate()
})
