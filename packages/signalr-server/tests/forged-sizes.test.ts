/** Frames with forged sizes or endless nesting only end their own connection. */
import { decode, encode } from '@msgpack/msgpack'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { jsonCodec } from '../src/backplane/orders.ts'
import { messagePackCodec, messagePackProtocol } from '../src/messagepack.ts'
import { checkMessagePack, CLIENT_BOUNDS, NODE_BOUNDS } from '../src/protocol/bounds.ts'
import { jsonProtocol } from '../src/protocol/json-protocol.ts'
import { ProtocolError, type HubProtocol } from '../src/protocol/messages.ts'
import { withLength } from '../src/protocol/messagepack-protocol.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { openWire, say } from '../testing/wire.ts'

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_126)
const END = '\u001e'
const RECORD_BYTES = 32 * 1024
/** CPU time and memory for one record. A decoder that trusts the sizes needs thousands of times as much. */
const MOST_MS = 500
const MOST_BYTES = 16 * 1024 * 1024

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** Headers with a size of one, two or four bytes, and first bytes of those without a size. */
const sized = (first: number, bytes: 1 | 2 | 4) =>
  fc.integer({ min: 0, max: 2 ** (8 * bytes) - 1 }).map((size) => {
    const head = Buffer.alloc(1 + bytes, first)
    head.writeUIntBE(size, 1, bytes)
    return head
  })
const head = fc.oneof(
  ...[0xc4, 0xc7, 0xd9].map((first) => sized(first, 1)),
  ...[0xc5, 0xc8, 0xda, 0xdc, 0xde].map((first) => sized(first, 2)),
  ...[0xc6, 0xc9, 0xdb, 0xdd, 0xdf].map((first) => sized(first, 4)),
  fc.integer({ min: 0, max: 255 }).map((byte) => Buffer.from([byte])),
)
const headOf = (bytes: Buffer) => (times: number) => Array.from({ length: times }, () => bytes)
/** The same header nested up to the depth that fits into a record. */
const nested = fc
  .tuple(head, fc.integer({ min: 1, max: 6000 }))
  .map(([bytes, times]) => headOf(bytes)(times))
const mixed = fc.array(head, { minLength: 1, maxLength: 2000 })
/** A call with forged arguments, or completely forged bytes. */
const call = Buffer.from([0x96, 1, 0x80, 0xc0, 0xa4, ...Buffer.from('Echo'), 0x91])
const forged = fc
  .tuple(fc.constantFrom(call, Buffer.alloc(0)), fc.oneof(nested, mixed))
  .map(([begin, heads]) => Buffer.concat([begin, ...heads]).subarray(0, RECORD_BYTES))

const opening = fc.constantFrom('[', '{"a":', '[[],', '[{"a":', '{"a":[', '["\\"[",')
const forgedJson = fc
  .tuple(
    fc.constantFrom('{"type":1,"target":"Echo","arguments":[', ''),
    fc.array(opening, { minLength: 1, maxLength: 3 }),
    fc.integer({ min: 1, max: 5000 }),
    fc.boolean(),
  )
  .map(([begin, openings, times, closes]) => {
    const text = openings.join('').repeat(times)
    const ends = closes ? [...text].toReversed().join('').replaceAll('[', ']') : ''
    return Buffer.from((begin + text + ends).slice(0, RECORD_BYTES))
  })

/** Measures reading a record, which may only fail with ProtocolError. */
function read(protocol: HubProtocol, record: Buffer): void {
  const before = process.memoryUsage()
  const began = process.cpuUsage()
  try {
    protocol.parse(record)
  } catch (error) {
    expect(error).toBeInstanceOf(ProtocolError)
  }
  const { user, system } = process.cpuUsage(began)
  expect((user + system) / 1000).toBeLessThan(MOST_MS)
  const after = process.memoryUsage()
  expect(after.heapUsed - before.heapUsed).toBeLessThan(MOST_BYTES)
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(MOST_BYTES)
}

test.each([
  ['MessagePack', messagePackProtocol, forged],
  ['JSON', jsonProtocol, forgedJson],
] as const)('a forged record of %s takes little time and memory', (_name, protocol, records) => {
  fc.assert(
    fc.property(records, (record) => read(protocol, record)),
    { seed: SEED, numRuns: 500 },
  )
})

const bytes = (...given: number[]) => Buffer.from(given)
const MILLIONS = [1, 255, 255, 255]

test.each([
  ['array 32', bytes(0xdd, ...MILLIONS)],
  ['arrays in arrays', Buffer.concat(headOf(bytes(0xdd, ...MILLIONS))(20))],
  ['array 16', bytes(0xdc, 255, 255, 1)],
  ['a short array', bytes(0x9f, 1)],
  ['map 32', bytes(0xdf, ...MILLIONS)],
  ['map 16', bytes(0xde, 255, 255, 1)],
  ['a short map', bytes(0x8f, 1, 1)],
  ['a map without its last value', bytes(0x82, 1, 1, 2)],
  ['bin 8', bytes(0xc4, 9, 1)],
  ['bin 32', bytes(0xc6, ...MILLIONS)],
  ['str 16', bytes(0xda, 255, 255, 0x61)],
  ['str 32', bytes(0xdb, 255, 255, 255, 255)],
  ['a short text', bytes(0xbf, 0x61)],
  ['ext 8', bytes(0xc7, 9, 1)],
  ['ext 32', bytes(0xc9, ...MILLIONS, 1)],
  ['fixext', bytes(0xd8, 1, 1)],
  ['a number', bytes(0xcf, 1)],
  ['a size that is cut off', bytes(0xdd, 0, 0)],
  ['a first byte that means nothing', bytes(0xc1)],
  ['nothing', bytes()],
  ['65 arrays within each other', bytes(...Array.from({ length: 65 }, () => 0x91), 1)],
  ['65 maps within each other', bytes(...Array.from({ length: 65 }, () => [0x81, 1]).flat(), 1)],
])('%s is refused before it is decoded', (_what, record) => {
  expect(() => checkMessagePack(record, CLIENT_BOUNDS)).toThrow(ProtocolError)
})

test('more elements than the limit are refused, even if all of them are present', () => {
  const many = encode(Array.from({ length: CLIENT_BOUNDS.elements }, () => 1))
  expect(() => checkMessagePack(many, CLIENT_BOUNDS)).toThrow('too many elements')
  expect(() => checkMessagePack(many, NODE_BOUNDS)).not.toThrow()
  const text = JSON.stringify({ type: 1, target: 'Echo', arguments: [decode(many)] })
  expect(() => jsonProtocol.parse(Buffer.from(text))).toThrow('too many elements')
})

test('everything that the library encodes is accepted and decoded again', () => {
  const value = fc.anything({ maxDepth: 5, withDate: true, withTypedArray: false, maxKeys: 20 })
  const check = (given: unknown) => {
    let encoded: Uint8Array
    try {
      encoded = encode(given)
    } catch {
      return
    }
    checkMessagePack(encoded, CLIENT_BOUNDS)
  }
  fc.assert(fc.property(value, check), { seed: SEED, numRuns: 2000 })
  for (const size of [15, 16, 31, 32, 255, 256, 65_535]) {
    check(Array.from({ length: size }, () => null))
    check('x'.repeat(size))
    check(new Uint8Array(size))
  }
  check([1.5, -1, -200, -70_000, 2 ** 40, -(2 ** 40), 300, 70_000, new Date(), new Date(1.5)])
})

test('brackets in JSON strings do not count', () => {
  const text = `${'['.repeat(200)}\\"${'{,'.repeat(200)}\\`
  const message = { type: 1, target: 'Echo', arguments: [text] }
  expect(jsonProtocol.parse(Buffer.from(JSON.stringify(message)))).toMatchObject(message)
})

test.each([
  ['MessagePack', messagePackCodec, Buffer.concat(headOf(bytes(0xdd, ...MILLIONS))(20))],
  ['JSON', jsonCodec, Buffer.from('['.repeat(20_000))],
])('nodes refuse forged orders in %s', (_name, codec, order) => {
  expect(() => codec.decode(order)).toThrow(ProtocolError)
  const value = { kind: 'send', method: 'x', parameters: [{ a: [1, 'two', null] }] }
  expect(codec.decode(codec.encode(value))).toEqual(value)
})

const isRefused = (protocol: HubProtocol, record: Buffer) => {
  try {
    protocol.parse(record)
    return false
  } catch {
    return true
  }
}

/** Sends the handshake and the frame, and resolves with the server's last message. */
async function lastWords(protocol: string, frame: Buffer): Promise<string> {
  const socket = new WebSocket(`${server.url}/testhub`.replace('http', 'ws'))
  let last = ''
  socket.on('message', (data: Buffer) => {
    last = data.toString('latin1')
  })
  const closed = new Promise((resolve) => socket.on('close', resolve))
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
  socket.send(`{"protocol":"${protocol}","version":1}${END}`)
  socket.send(frame)
  await closed
  return last
}

test('a forged frame only ends its own connection', async () => {
  const other = await openWire(`${server.url}/testhub`)
  const frames = fc
    .sample(
      fc.oneof(
        forged
          .filter((record) => isRefused(messagePackProtocol, record))
          .map((record) => ['messagepack', withLength(record)] as const),
        forgedJson
          .filter((record) => isRefused(jsonProtocol, record))
          .map((record) => ['json', Buffer.concat([record, Buffer.from(END)])] as const),
      ),
      { numRuns: 40, seed: SEED },
    )
    .concat([
      ['messagepack', withLength(Buffer.concat([call, ...headOf(bytes(0xdd, ...MILLIONS))(20)]))],
      ['json', Buffer.from(`{"type":1,"target":"Echo","arguments":[${'['.repeat(9000)}${END}`)],
    ])
  for (const [place, [protocol, frame]] of frames.entries()) {
    const words = lastWords(protocol, frame)
    say(other, { type: 1, invocationId: `${place}`, target: 'Echo', arguments: [place] })
    const began = performance.now()
    expect(await other.next()).toEqual({ type: 3, invocationId: `${place}`, result: place })
    expect(performance.now() - began).toBeLessThan(1000)
    expect(await words).toContain('Connection closed with an error.')
  }
  other.socket.close()
})
