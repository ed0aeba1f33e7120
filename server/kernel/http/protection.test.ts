import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#server/testing/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ RATE_LIMITS: 'on' })
})
afterAll(() => app.close())

const SPELLINGS = ['/api/lesson/newest', '/%61pi/lesson/newest', '/API/lesson/newest/']

test('every spelling of a call meets the rate limit', async () => {
  let counted = 0
  // A machine that is busy answers some with 503, which are not counted.
  for (let sent = 0; sent < 3000 && counted < 1200; sent += 100) {
    const calls = Array.from({ length: 100 }, () => fetch(`${app.url}/api/lesson/newest`))
    const answers = await Promise.all(calls)
    counted += answers.filter((answer) => answer.status === 200).length
    await Promise.all(answers.map((answer) => answer.arrayBuffer()))
  }
  expect(counted).toBe(1200)
  for (const path of SPELLINGS) {
    const answer = await fetch(`${app.url}${path}`)
    expect([path, answer.status]).toEqual([path, 429])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await answer.json()).toMatchObject({ status: 429 })
  }
}, 30_000)

test('files and health are outside the limit', async () => {
  expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
})
