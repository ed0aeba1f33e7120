import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#server/testing/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

test('an unknown call answers 404 as a problem', async () => {
  const { status, headers, body } = await app.call('GET', '/nothing/here')
  expect(status).toBe(404)
  expect(headers.get('content-type')).toContain('application/problem+json')
  expect(body).toMatchObject({ title: 'There is nothing here.', status: 404 })
})

test('an error speaks the language of Accept-Language', async () => {
  const { body } = await app.call('GET', '/nothing/here', {
    headers: { 'accept-language': 'de, bg;q=0.8, en;q=0.5' },
  })
  expect(body).toMatchObject({ title: 'Тук няма нищо.' })
})

test('the process and the database report their health', async () => {
  expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
  expect(await (await fetch(`${app.url}/readyz`)).json()).toEqual({ status: 'ready' })
})

test('the API describes itself', async () => {
  const { status, body } = await app.call<{ paths: Record<string, object> }>('GET', '/openapi.json')
  expect(status).toBe(200)
  expect(Object.keys(body.paths)).toContain('/identity/register')
})

test('paths ignore case and a trailing slash', async () => {
  expect((await app.call('GET', '/OpenAPI.json/')).status).toBe(200)
})

test('an address that is no UTF-8 is refused as a problem', async () => {
  const { status, headers, body } = await app.call('GET', '/lesson/%zz')
  expect(status).toBe(400)
  expect(headers.get('content-type')).toContain('application/problem+json')
  expect(body).toMatchObject({ title: "The request can't be read." })
})

test('what is no HTTP gets a problem and a closed socket', async () => {
  const { port } = new URL(app.url)
  const answer = await new Promise<string>((resolve, reject) => {
    let text = ''
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write('GET /lesson/\u0000 nonsense\r\n\r\n'),
    )
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      text += chunk
    })
    socket.once('end', () => resolve(text))
    socket.once('error', reject)
  })
  expect(answer).toContain('HTTP/1.1 400')
  expect(answer).toContain('application/problem+json')
})

test('HEAD answers like GET, without a body', async () => {
  const { status, body } = await app.call('HEAD', '/lesson/popular')
  expect(status).toBe(200)
  expect(body).toBe('')
})

test('a GET that buys is not reached by HEAD', async () => {
  expect((await app.call('HEAD', '/lesson/buy/1')).status).toBe(404)
})
