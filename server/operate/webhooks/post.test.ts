/** Tests misbehaving receivers and names with real HTTP and DNS servers. */
import { Resolver } from 'node:dns/promises'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { startNameServer } from '#server/testing/webhooks/name-server.ts'
import { startReceiver, type Receiver } from '#server/testing/webhooks/receiver.ts'
import { createAddressRule } from '#server/operate/webhooks/addresses.ts'
import {
  post,
  PostFailure,
  resolveBySystem,
  type PostNeeds,
  type Resolve,
} from '#server/operate/webhooks/post.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** Stands in for a public address of the receiver. */
const OUTSIDE = '127.0.0.2'
const INSIDE = '127.0.0.1'
const needs: PostNeeds = {
  maySend: createAddressRule([OUTSIDE]),
  resolve: resolveBySystem,
  patienceMs: 10_000,
}

async function open(address = OUTSIDE, port = 0): Promise<Receiver> {
  const receiver = await startReceiver(address, port)
  ends.push(() => receiver.close())
  return receiver
}

/** Returns a resolver that queries a real DNS server with scripted answers. */
async function namesBy(answerOf: (question: number) => readonly string[]): Promise<Resolve> {
  const server = await startNameServer(answerOf)
  ends.push(() => server.close())
  const resolver = new Resolver()
  resolver.setServers([server.address])
  return (name) => resolver.resolve4(name)
}

const send = (
  url: string,
  change: Partial<PostNeeds> = {},
  signal = new AbortController().signal,
) => post({ ...needs, ...change }, { url: new URL(url), headers: {}, body: '{}', signal })

test.each([
  'http://127.0.0.1:PORT/',
  'http://localhost:PORT/',
  'http://localhost.:PORT/',
  'http://127.1:PORT/',
  'http://2130706433:PORT/',
  'http://0x7f.0.0.1:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://0.0.0.0:PORT/',
  'http://[::1]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fe80::1]/',
])('nothing is sent to %s', async (address) => {
  const inside = await open(INSIDE)
  await expect(send(address.replace('PORT', `${inside.port}`))).rejects.toThrow(
    /private|no address/,
  )
  expect(inside.received).toEqual([])
})

test('a name that leads to a private address at the second question gains nothing', async () => {
  const outside = await open(OUTSIDE)
  const inside = await open(INSIDE, outside.port)
  const resolve = await namesBy((question) => [question === 0 ? OUTSIDE : INSIDE])
  const url = `http://rebind.test:${outside.port}/`
  expect(await send(url, { resolve })).toMatchObject({ status: 204 })
  await expect(send(url, { resolve })).rejects.toThrow('its address is private')
  expect(outside.received).toHaveLength(1)
  expect(outside.received[0]?.headers.host).toBe(`rebind.test:${outside.port}`)
  expect(inside.received).toEqual([])
})

test('a name with one private address is refused', async () => {
  const outside = await open(OUTSIDE)
  const resolve = await namesBy(() => [OUTSIDE, INSIDE])
  await expect(send(`http://both.test:${outside.port}/`, { resolve })).rejects.toThrow('private')
  expect(outside.received).toEqual([])
})

test('a name without an address is reported', async () => {
  const resolve = await namesBy(() => [])
  await expect(send('http://nobody.test/', { resolve })).rejects.toThrow('its name has no address')
})

test('a redirect is an answer, and nobody goes there', async () => {
  const inside = await open(INSIDE)
  const outside = await open()
  outside.answer = (response) => void response.writeHead(307, { location: inside.url }).end()
  expect(await send(outside.url)).toMatchObject({ status: 307 })
  expect(inside.received).toEqual([])
})

test('only the beginning of the response is read, on one line', async () => {
  const outside = await open()
  let ended = 0
  outside.answer = (response) => {
    response.writeHead(200)
    response.on('close', () => (ended += 1))
    const pour = () => {
      while (
        !response.destroyed &&
        response.write('Line\r\n\u0000 of an endless answer '.repeat(100))
      );
    }
    response.on('drain', pour)
    pour()
  }
  const { answer } = await send(outside.url)
  expect(answer).toMatch(/^Line of an endless answer Line of/)
  expect(answer.length).toBeLessThanOrEqual(500)
  await expect.poll(() => ended).toBe(1)
})

test('a receiver that hangs or responds slowly times out, and counts as hanging', async () => {
  const outside = await open()
  outside.answer = () => undefined
  const failure = await send(outside.url, { patienceMs: 300 }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(PostFailure)
  expect(failure).toMatchObject({ message: 'it did not answer within 0.3 seconds', hung: true })
  outside.answer = (response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(timer))
  }
  await expect(send(outside.url, { patienceMs: 300 })).rejects.toMatchObject({ hung: true })
  // A DNS server that never answers must end in the same way.
  const never: Resolve = () => new Promise(() => undefined)
  await expect(
    send('http://slow.test/', { patienceMs: 300, resolve: never }),
  ).rejects.toMatchObject({
    hung: true,
  })
})

test('a process that stops does not wait for the response', async () => {
  const outside = await open()
  const stopping = new AbortController()
  outside.answer = () => stopping.abort()
  await expect(send(outside.url, {}, stopping.signal)).rejects.toThrow('was stopped meanwhile')
})

test('an invalid HTTP response, a closed port and a wrong certificate are described without the address', async () => {
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.end('220 this is mail\r\n', () => socket.destroy())
  })
  await new Promise<void>((resolve) => void server.listen(0, OUTSIDE, resolve))
  ends.push(() => new Promise((resolve) => server.close(resolve)))
  const { port } = server.address() as AddressInfo
  await expect(send(`http://${OUTSIDE}:${port}/secret`)).rejects.toThrow(/^it does not speak HTTP$/)
  await expect(send(`https://${OUTSIDE}:${port}/secret`)).rejects.toThrow(/^it does not speak TLS$/)
  await expect(send(`http://${OUTSIDE}:1/secret`)).rejects.toThrow(/^nobody listens there$/)
})
