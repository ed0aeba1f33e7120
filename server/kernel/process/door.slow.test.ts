/** Tests how a real process ends on signals while people use it. */
import { mkdtemp } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { connect as connectSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import type { Session } from '#contract/accounts.ts'
import { testPicture } from '#server/testing/app.ts'
import { removeDataDir, startProduct, type Product } from '#server/testing/product.ts'
import { openBareSmtp } from '#server/testing/mail/smtp.ts'
import { formOf } from '#server/testing/http/forms.ts'

// Each test starts a process, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 })

let product: Product
/** All processes use one database, one after the other. */
const dataDir = await mkdtemp(join(tmpdir(), 'kb-door-'))
afterEach(() => product.stop())
afterAll(() => removeDataDir(dataDir))

const start = async (environment: Record<string, string> = {}) => {
  product = await startProduct({ DATA_DIR: dataDir, ...environment })
}

/** Sends a request on its own connection or through `agent`. */
function ask(path: string, agent?: Agent) {
  return new Promise<{ status: number; connection: string | undefined; body: string }>(
    (resolve, reject) => {
      const asking = request(`${product.url}${path}`, { agent }, (answer) => {
        let body = ''
        answer.setEncoding('utf8').on('data', (piece: string) => {
          body += piece
        })
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, connection: answer.headers.connection, body }),
        )
      })
      asking.on('error', reject).end()
    },
  )
}

async function signUp(username: string, email = `${username}@people.example`): Promise<Session> {
  const form = formOf({
    username,
    email,
    password: `secret of ${username}`,
    image: await testPicture(),
  })
  const path = `${product.url}/api/identity/register`
  const answer = await fetch(path, { method: 'POST', body: form })
  if (!answer.ok) throw new Error(`register answered ${answer.status}`)
  return (await answer.json()) as Session
}

test('after SIGTERM it reports draining, keeps serving, and exits with 0 in time', async () => {
  await start({ DRAIN_SECONDS: '4' })
  const kept = new Agent({ keepAlive: true })
  expect((await ask('/readyz', kept)).connection).toBe('keep-alive')
  const told = performance.now()
  product.signal('SIGTERM')
  await expect.poll(async () => (await ask('/readyz')).status).toBe(503)
  expect(performance.now() - told).toBeLessThan(1500)
  expect(JSON.parse((await ask('/readyz')).body)).toEqual({ status: 'draining' })
  // Pages, also cached ones, and calls are served; each answer says that its connection closes.
  for (const path of ['/', '/', '/api/home', '/healthz'])
    expect(await ask(path, kept)).toMatchObject({ status: 200, connection: 'close' })
  await sleep(1000)
  expect((await ask('/')).status).toBe(200)
  expect(await product.ended).toEqual({ code: 0, signal: null })
  expect(performance.now() - told).toBeGreaterThan(4000)
  expect(performance.now() - told).toBeLessThan(9000)
  await expect(ask('/')).rejects.toThrow()
})

test('requests running at the end of serving are answered, and no new ones are accepted', async () => {
  await start()
  // The second half of the form comes after the signal.
  const session = await signUp('slow')
  const text = JSON.stringify({ text: 'half and half', receiverUsername: 'slow' })
  const answer = new Promise<number>((resolve, reject) => {
    const asking = request(
      `${product.url}/api/message/create`,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${session.accessToken}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        },
      },
      (got) => {
        got.resume()
        resolve(got.statusCode ?? 0)
      },
    )
    asking.on('error', reject)
    asking.write(text.slice(0, 10))
    setTimeout(() => product.signal('SIGTERM'), 300)
    setTimeout(() => asking.end(text.slice(10)), 1200)
  })
  await sleep(800)
  await expect(ask('/')).rejects.toThrow(/ECONNREFUSED/)
  // The server read all of the form and refused it, because nobody may write to themselves.
  expect(await answer).toBe(400)
  expect((await product.ended).code).toBe(0)
})

test('a request that never ends is cut off, and the process still exits', async () => {
  await start()
  const { hostname, port } = new URL(product.url)
  const asking = request({
    hostname,
    port,
    path: '/api/message/create',
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': 100 },
  })
  const failed = new Promise<Error>((resolve) => asking.once('error', resolve))
  asking.write('{')
  await sleep(300)
  const told = performance.now()
  product.signal('SIGTERM')
  await failed
  expect(await product.ended).toEqual({ code: 0, signal: null })
  expect(performance.now() - told).toBeLessThan(10_000)
})

test.each([
  HttpTransportType.WebSockets,
  HttpTransportType.ServerSentEvents,
  HttpTransportType.LongPolling,
])('hub clients are sent to other nodes (%s)', async (transport) => {
  await start()
  const session = await signUp(`t${transport}`)
  const connection = new HubConnectionBuilder()
    .withUrl(`${product.url}/chatHub`, {
      transport,
      accessTokenFactory: () => session.accessToken,
    })
    .withAutomaticReconnect([60_000])
    .configureLogging(LogLevel.None)
    .build()
  let isGoing = false
  connection.onreconnecting(() => {
    isGoing = true
  })
  await connection.start()
  const told = performance.now()
  product.signal('SIGTERM')
  await expect.poll(() => isGoing, { timeout: 5000 }).toBe(true)
  expect((await product.ended).code).toBe(0)
  expect(performance.now() - told).toBeLessThan(5000)
  await connection.stop()
})

/** Begins a resumable upload and sends a byte of it every 100 ms; resolves when its connection is closed. */
async function uploadSlowly({ accessToken }: Session): Promise<{ ended: Promise<void> }> {
  const bearer = { authorization: `Bearer ${accessToken}`, 'tus-resumable': '1.0.0' }
  const begun = await fetch(`${product.url}/api/upload/resource`, {
    method: 'POST',
    headers: {
      ...bearer,
      'upload-length': '1000000',
      'upload-metadata': `filename ${Buffer.from('slow.pdf').toString('base64')}`,
    },
  })
  expect(begun.status).toBe(201)
  const { pathname } = new URL(begun.headers.get('location') ?? '', product.url)
  const socket = connectSocket(product.port, '127.0.0.1')
  const head = Object.entries({
    host: 'x',
    ...bearer,
    'upload-offset': '0',
    'content-type': 'application/offset+octet-stream',
    'content-length': '1000000',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`PATCH ${pathname} HTTP/1.1\r\n${head.join('')}\r\n`)
  const timer = setInterval(() => socket.write('x'), 100)
  socket.on('error', () => {}).resume()
  const ended = new Promise<void>((resolve) =>
    socket.once('close', () => {
      clearInterval(timer)
      resolve()
    }),
  )
  return { ended }
}

test('with everything open and default settings it exits with 0 within 10 seconds', async () => {
  let isHanging = false
  const smtp = await openBareSmtp((heard) => {
    if (heard.startsWith('MAIL')) isHanging = true
    return isHanging
  })
  // Uses the default drain time.
  await start({ DRAIN_SECONDS: '', SMTP_URL: smtp.url })
  const session = await signUp('everything')
  const connections = await Promise.all(
    [
      HttpTransportType.WebSockets,
      HttpTransportType.ServerSentEvents,
      HttpTransportType.LongPolling,
    ].map(async (transport) => {
      const connection = new HubConnectionBuilder()
        .withUrl(`${product.url}/chatHub`, {
          transport,
          accessTokenFactory: () => session.accessToken,
        })
        .configureLogging(LogLevel.None)
        .build()
      const ended = new Promise<void>((resolve) => connection.onclose(() => resolve()))
      await connection.start()
      return { connection, ended }
    }),
  )
  const upload = await uploadSlowly(session)
  const email = 'hanging@mail.test'
  await signUp('hanging', email)
  const forgot = await fetch(`${product.url}/api/identity/password/forgot`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  })
  expect(forgot.ok).toBe(true)
  await expect.poll(() => isHanging, { timeout: 10_000 }).toBe(true)

  const told = performance.now()
  product.signal('SIGTERM')
  let served = 0
  while (performance.now() - told < 4000) {
    if ((await ask('/api/home')).status === 200) served += 1
    await sleep(50)
  }
  const exit = await product.ended
  const took = performance.now() - told
  expect(exit).toEqual({ code: 0, signal: null })
  expect(served).toBeGreaterThan(5)
  expect(took).toBeGreaterThan(5000)
  expect(took).toBeLessThan(10_000)
  await Promise.all([upload.ended, ...connections.map(({ ended }) => ended)])
  await smtp.close()
})

test('Ctrl-C does not wait for a load balancer, even when npm forwards it', async () => {
  await start({ DRAIN_SECONDS: '30' })
  const told = performance.now()
  product.signal('SIGINT')
  await sleep(50)
  product.signal('SIGINT')
  expect(await product.ended).toEqual({ code: 0, signal: null })
  expect(performance.now() - told).toBeLessThan(8000)
})

test('a second signal exits at once', async () => {
  await start({ DRAIN_SECONDS: '30' })
  const told = performance.now()
  product.signal('SIGTERM')
  await sleep(1000)
  product.signal('SIGTERM')
  expect((await product.ended).code).toBe(1)
  expect(performance.now() - told).toBeLessThan(3000)
})
