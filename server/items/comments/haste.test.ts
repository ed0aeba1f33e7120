import { expect, test } from 'vitest'
import type { Problem } from '#contract/errors.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp({ RATE_LIMITS: 'on' })

test('ten comments a minute are enough, deleted ones count', async () => {
  const ann = await app.signUp('ann')
  const { id } = await app.publishLesson(ann)
  const write = () =>
    app.call<Problem & { id: number }>('POST', `/comment/create/${id}`, {
      as: ann,
      json: { text: 'One more word on this.' },
    })
  const start = new Date()
  for (let n = 0; n < 10; n += 1) {
    app.clock.time = new Date(start.getTime() + n * 1000)
    const { status, body } = await write()
    expect(status).toBe(200)
    if (n === 5) await app.call('DELETE', `/comment/delete/${body.id}`, { as: ann })
  }
  const { status, headers, body } = await write()
  expect([status, headers.get('retry-after')]).toEqual([429, '51'])
  expect(body.title).toMatch(/^That’s a lot of comments/)
  app.clock.time = new Date(start.getTime() + 60_000)
  expect((await write()).status).toBe(200)
  expect((await write()).status).toBe(429)
})
