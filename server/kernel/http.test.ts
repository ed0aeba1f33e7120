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
