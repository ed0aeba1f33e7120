import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { contextOf } from '#server/kernel/http/http.ts'
import { createTestApp, type TestApp } from '#server/testing/app.ts'
import { setUser } from '#server/testing/rows.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp()
const person = await app.signUp('reader')

test('an unknown call answers 404 as a problem', async () => {
  const { status, headers, body } = await app.call('GET', '/nothing/here')
  expect(status).toBe(404)
  expect(headers.get('content-type')).toContain('application/problem+json')
  expect(body).toMatchObject({ title: 'There’s nothing here.', status: 404 })
})

test('an error is in the language of Accept-Language', async () => {
  const { body } = await app.call('GET', '/nothing/here', {
    headers: { 'accept-language': 'fr, bg;q=0.8, en;q=0.5' },
  })
  expect(body).toMatchObject({ title: 'Тук няма нищо.' })
})

test('a URL that is no UTF-8 is refused as a problem', async () => {
  const { status, headers, body } = await app.call('GET', '/lesson/%zz')
  expect(status).toBe(400)
  expect(headers.get('content-type')).toContain('application/problem+json')
  expect(body).toMatchObject({ title: 'We couldn’t read the request.' })
})

function sendRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1', () => socket.write(text))
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      answer += chunk
    })
    socket.once('end', () => resolve(answer))
    socket.once('error', reject)
  })
}

test('malformed HTTP gets a problem and a closed socket', async () => {
  const answer = await sendRaw('GET /lesson/\u0000 nonsense\r\n\r\n')
  expect(answer).toContain('HTTP/1.1 400')
  expect(answer).toContain('application/problem+json')
})

test('an absolute URL as target is served like its path', async () => {
  const answer = await sendRaw(
    'GET http://elsewhere.example/api/lesson/popular HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n',
  )
  expect(answer).toContain('HTTP/1.1 200')
})

test.each(['multipart/form-data', 'multipart/form-data; boundary=b'])(
  'a torn form of type %s answers 400',
  async (type) => {
    for (const path of ['/identity/register', '/lesson/create', '/upload/resource']) {
      const response = await fetch(`${app.url}/api${path}`, {
        method: 'POST',
        headers: { 'content-type': type, authorization: `Bearer ${person.session.accessToken}` },
        body: '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhalf',
      })
      expect([path, response.status]).toEqual([path, 400])
      expect(await response.json()).toMatchObject([{ code: 'badRequest' }])
    }
  },
)

test('the form of a caller without access is not read', async () => {
  const suspended = await app.signUp('suspended')
  await setUser(app, suspended, { suspended_at: new Date() })
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  // The body is incomplete: a server that read it would answer 400.
  const send = (token: string) =>
    fetch(`${app.url}/api/lesson/create`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${token}` },
      body: '--b\r\ncontent-disposition: form-data; name="image"; filename="a"\r\n\r\nhalf',
    })
  const refused = [await send('expired'), await send(suspended.session.accessToken)]
  expect(refused.map(({ status }) => status)).toEqual([401, 403])
  expect(await refused[0]?.json()).toMatchObject([{ code: 'unauthorized' }])
  expect(refused[0]?.headers.get('x-session')).toBe('expired')
})

test('HEAD answers like GET, without a body', async () => {
  const { status, body } = await app.call('HEAD', '/lesson/popular')
  expect(status).toBe(200)
  expect(body).toBe('')
  expect((await app.call('HEAD', '/lesson/browse?page=none')).status).toBe(400)
})

test('a GET that buys is not reached by HEAD', async () => {
  expect((await app.call('HEAD', '/lesson/buy/1')).status).toBe(404)
})

test('a call without a token, or with a bad one, gets WWW-Authenticate', async () => {
  const bad = { authorization: 'Bearer nothing' }
  const answers = [
    await app.call('GET', '/identity/points'),
    await app.call('POST', '/lesson/create', { headers: bad }),
    await app.call('POST', '/upload/resource'),
    await app.call('POST', '/chatHub/negotiate?negotiateVersion=1'),
    await app.call('POST', '/identity/login', { json: { username: 'reader', password: 'no' } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
  for (const { headers } of answers) expect(headers.get('www-authenticate')).toBe('Bearer')
  expect((await app.call('GET', '/lesson/popular')).headers.has('www-authenticate')).toBe(false)
})

test.each([
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/octet-stream',
  'nonsense',
])('a call that needs no body accepts none, as %s', async (type) => {
  const headers = { 'content-type': type }
  const revoke = '/identity/sessions/revoke'
  expect((await app.call('POST', revoke, { as: person, headers })).status).toBe(204)
  expect((await app.call('DELETE', '/lesson/999999', { as: person, headers })).status).toBe(404)
  const inPieces = await fetch(`${app.url}/api${revoke}`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${person.session.accessToken}` },
    body: new ReadableStream({ start: (body) => body.close() }),
    duplex: 'half',
  })
  expect([inPieces.status, await inPieces.text()]).toEqual([204, ''])
})

test('a body of another kind is still refused', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'nonsense']) {
    const headers = { 'content-type': type }
    const answer = await fetch(`${app.url}/api/identity/login`, {
      method: 'POST',
      headers,
      body: 'a=b',
    })
    expect([type, answer.status]).toEqual([type, 415])
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
  }
})

test('only a few searches use the database at once, and other calls pass them', async () => {
  const { pool } = app.app.database
  const holder = await pool.connect()
  const countWaiting = async () => {
    // Uses a second connection because PostgreSQL caches this view within a transaction.
    const { rows } = await pool.query<{ waiting: number }>(
      "select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    )
    return rows[0]?.waiting
  }
  await holder.query('begin')
  await holder.query('lock table lessons in access exclusive mode')
  // The searches differ because equal ones share their statements.
  const searches = Array.from({ length: 20 }, (_, n) =>
    app.call('GET', `/lesson/browse?search=x${n}`),
  )
  try {
    // Three searches run, each with two statements at once.
    await expect.poll(countWaiting).toBe(6)
    expect((await app.call('GET', '/message/unread', { as: person })).status).toBe(200)
    expect(await countWaiting()).toBe(6)
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  const statuses = (await Promise.all(searches)).map(({ status }) => status)
  // On a slow machine some wait for the lock longer than a request may.
  expect(statuses.filter((status) => ![200, 503].includes(status))).toEqual([])
})

test('a call is aborted when its caller disconnects, not when its body has been read', async () => {
  const heard = Promise.withResolvers<AbortSignal>()
  const left = Promise.withResolvers<void>()
  const fastify = Fastify()
  fastify.post('/wait', async (request, reply) => {
    const { signal } = contextOf(request, reply, null)
    signal.addEventListener('abort', () => left.resolve())
    // The body has been read by now.
    await sleep(50)
    heard.resolve(signal)
    await left.promise
    return ''
  })
  fastify.post('/answer', async (request, reply) => {
    const { signal } = contextOf(request, reply, null)
    await sleep(50)
    reply.raw.once('close', () => setImmediate(() => answered.resolve(signal)))
    return ''
  })
  const answered = Promise.withResolvers<AbortSignal>()
  const url = await fastify.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => fastify.close())
  const leaving = new AbortController()
  const asked = fetch(`${url}/wait`, {
    method: 'POST',
    body: 'words',
    headers: { 'content-type': 'text/plain' },
    signal: leaving.signal,
  })
  const signal = await heard.promise
  expect(signal.aborted).toBe(false)
  leaving.abort()
  await expect(asked).rejects.toThrow()
  await left.promise
  expect(signal.aborted).toBe(true)
  const body = { method: 'POST', body: 'words', headers: { 'content-type': 'text/plain' } }
  await (await fetch(`${url}/answer`, body)).text()
  expect((await answered.promise).aborted).toBe(false)
})

const UPGRADE = 'connection: Upgrade, HTTP2-Settings, close\r\nhttp2-settings: AAMAAABk\r\n'

test.each([
  ['GET /healthz', 'upgrade: h2c\r\n', '', '200'],
  ['GET /api/openapi.json', 'upgrade: websocket\r\n', '', '200'],
  ['GET /api/openapi.json', 'upgrade: TLS/1.2, h2c\r\n', '', '200'],
  ['POST /api/identity/login', 'upgrade: h2c\r\ncontent-type: application/json\r\n', '{}', '400'],
  ['POST /chatHub/negotiate', 'upgrade: h2c\r\n', '', '401'],
  ['GET /chatHub', 'upgrade: h2c\r\n', '', '401'],
])('%s with %j is handled as without it', async (line, headers, body, status) => {
  const length = `content-length: ${body.length}\r\n`
  const ask = (more: string) =>
    sendRaw(`${line} HTTP/1.1\r\nhost: x\r\n${length}${more}\r\n${body}`)
  const lineOf = (answer: string) => answer.split('\r\n')[0]
  const plain = headers.replace(/^upgrade.*\r\n/, '')
  expect(lineOf(await ask(`${UPGRADE}${headers}`))).toContain(`HTTP/1.1 ${status}`)
  expect(lineOf(await ask(`connection: close\r\n${plain}`))).toContain(`HTTP/1.1 ${status}`)
})

test('a request keeps a well-formed id from a trusted proxy', async () => {
  const behind = await createTestApp({ TRUST_PROXY: '1' }, null, app)
  const idOf = async (to: TestApp, given: string) => {
    const { headers } = await to.call('GET', '/nothing', { headers: { 'x-request-id': given } })
    return headers.get('x-request-id')
  }
  onTestFinished(() => behind.close())
  for (const id of ['4f2c1bd0a1b2c3d4', 'Root=1-67891233-abcdef012345678912345678'])
    expect(await idOf(behind, id)).toBe(id)
  for (const id of [
    'short',
    'a'.repeat(129),
    'two words here',
    '<script>1</script>',
    '{"a":12345}',
  ])
    expect(await idOf(behind, id)).toMatch(/^[0-9a-f-]{36}$/)
  expect(await idOf(app, '4f2c1bd0a1b2c3d4')).not.toBe('4f2c1bd0a1b2c3d4')
})
