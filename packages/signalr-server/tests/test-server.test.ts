/** Tests the endpoints for external test suites with real clients. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, request as ask } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  HttpTransportType,
  Subject,
  type HubConnection,
  type IHttpConnectionOptions,
} from '@microsoft/signalr'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { buildClient, closeAfterEach, TRANSPORTS } from '../testing/clients.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

const run = promisify(execFile)
const { WebSockets, ServerSentEvents, LongPolling } = HttpTransportType

let folder: string
let cert: string
let server: TestServer
const closing = closeAfterEach()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hub-test-server-'))
  const [keyFile, file] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const made = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', keyFile, '-out', file]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost']
  await run('openssl', ['req', '-x509', ...made, ...subject])
  cert = await readFile(file, 'utf8')
  server = await startTestServer({ tls: { cert, key: await readFile(keyFile, 'utf8') } })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

async function connect(path: string, options: IHttpConnectionOptions): Promise<HubConnection> {
  const connection = buildClient(server.url + path, options).build()
  closing.push(() => connection.stop())
  await connection.start()
  return connection
}

describe.each(TRANSPORTS)('over %s', (_name, transport) => {
  test('a client of another origin may connect', async () => {
    const headers = { origin: 'https://elsewhere.example' }
    const connection = await connect('/testhub', { transport, headers })
    expect(await connection.invoke('GetHeader', 'Origin')).toBe('https://elsewhere.example')
  })

  test('cookies are returned, except the expired one', async () => {
    const connection = await connect('/testhub', { transport })
    const names = ['testCookie', 'testCookie2', 'expiredCookie']
    const values = names.map((name) => connection.invoke('GetCookie', name))
    expect(await Promise.all(values)).toEqual(['testValue', 'testValue2', null])
  })

  test('errors are told in the words of the reference', async () => {
    const connection = await connect('/testhub', { transport })
    const said = (method: string, ...args: unknown[]) =>
      connection.invoke(method, ...args).catch((error: Error) => error.message)
    expect(await said('ThrowHubException', 'Bang')).toBe(
      "An unexpected error occurred invoking 'ThrowHubException' on the server. HubException: Bang",
    )
    expect(await said('Nothing')).toBe(
      "Failed to invoke 'Nothing' due to an error on the server. HubException: Method does not exist.",
    )
    expect(await said('Echo', 1, 2)).toBe(
      "Failed to invoke 'Echo' due to an error on the server. InvalidDataException: Invocation provides 2 argument(s) but target expects 1.",
    )
    const words = new Subject<string>()
    const failed = said('StreamingConcat', words)
    words.next('Hello')
    words.error(new Error('Something bad'))
    expect(await failed).toBe(
      "An unexpected error occurred invoking 'StreamingConcat' on the server. HubException: Something bad",
    )
    expect(await said('Echo', new Subject())).toBe(
      "Failed to invoke 'Echo' due to an error on the server. InvalidDataException: Invocation provides 0 argument(s) but target expects 1.",
    )
    expect(await said('Echo', 1, new Subject())).toBe(
      "An unexpected error occurred invoking 'Echo' on the server. HubException: Client sent 1 stream(s), Hub method expects 0.",
    )
  })

  test('a hub that can not be created reports the error like the reference', async () => {
    const connection = buildClient(`${server.url}/uncreatable`, transport).build()
    // Either the start fails or the connection closes afterwards.
    const closed = new Promise<Error | undefined>((resolve) => connection.onclose(resolve))
    const failed = connection.start().then(
      () => closed,
      (error: Error) => error,
    )
    expect((await failed)?.message).toContain(
      "Server returned an error on close: Connection closed with an error. InvalidOperationException: Unable to resolve service for type 'System.Object' while attempting to activate 'FunctionalTests.UncreatableHub'.",
    )
  })
})

test.each([
  ['ServerSentEvents', ServerSentEvents],
  ['LongPolling', LongPolling],
] as const)('a redirected client reaches the echo over %s', async (_name, transport) => {
  // The echo returns the handshake, and then the client's own calls as if the server made them.
  const connection = await connect('/echoredirect', { transport })
  const received = new Promise((resolve) => connection.on('Said', resolve))
  await connection.send('Said', 'hello')
  expect(await received).toBe('hello')
})

test('an upgrade is redirected too, with its path and query', async () => {
  const response = await fetch(`${server.url}/EchoRedirect/negotiate?negotiateVersion=1&a=%20b`, {
    method: 'POST',
    redirect: 'manual',
  })
  expect([response.status, response.headers.get('location')]).toEqual([
    307,
    `${server.url}/echo/negotiate?negotiateVersion=1&a=%20b`,
  ])
  const socket = new WebSocket(`${server.url}/echoredirect`.replace('http', 'ws'), {
    followRedirects: true,
  })
  const received = new Promise((resolve) =>
    socket.on('message', (data: Buffer) => resolve(data.toString('utf8'))),
  )
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
  socket.send('hello')
  expect(await received).toBe('hello')
  socket.close()
})

test('a complex object has the keys that test suites expect', async () => {
  const connection = await connect('/testhub', { transport: WebSockets })
  expect(await connection.invoke('SendComplexObject')).toEqual({
    ByteArray: 'AQID',
    DateTime: '2000-01-01T00:00:00Z',
    Guid: '00010203-0405-0607-0706-050403020100',
    IntArray: [1, 2, 3],
    String: 'hello world',
  })
})

test('a stream that fails midway reports the error like the reference', async () => {
  const connection = await connect('/testhub', { transport: WebSockets })
  const items: unknown[] = []
  const failed = await new Promise<Error>((resolve, reject) => {
    connection.stream('StreamFailure', 2).subscribe({
      next: (item) => items.push(item),
      complete: () => reject(new Error('it ended well')),
      error: resolve,
    })
  })
  expect(failed.message).toBe(
    'An error occurred on the server while streaming results. InvalidOperationException: Ran out of data!',
  )
  expect(items).toEqual([0, 1])
})

test('over TLS cross-site pages may send cookies', async () => {
  const url = new URL('/testhub/negotiate?negotiateVersion=1', server.secureUrl ?? '')
  const cookies = await new Promise<string[] | undefined>((resolve, reject) => {
    const request = ask(url, { method: 'POST', agent: new Agent({ ca: cert }) }, (response) => {
      response.resume()
      resolve(response.headers['set-cookie'])
    })
    request.on('error', reject).end()
  })
  expect(cookies).toHaveLength(3)
  for (const cookie of cookies ?? []) expect(cookie).toContain('; SameSite=None; Secure')
  const socket = new WebSocket(`${server.secureUrl}/echo`.replace('http', 'ws'), { ca: cert })
  const received = new Promise((resolve) =>
    socket.on('message', (data: Buffer) => resolve(data.toString('utf8'))),
  )
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
  socket.send('hello')
  expect(await received).toBe('hello')
  socket.close()
})

test("web workers find the client's script", async () => {
  const response = await fetch(`${server.url}/lib/signalr-webworker/signalr.js`)
  expect(response.headers.get('content-type')).toContain('javascript')
  expect(await response.text()).toContain('HubConnectionBuilder')
})
