/**
 * Tests the page of a certificate for guests: it is cached, the same on all nodes, and removed from the cache once
 * the certificate ends.
 */
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#server/testing/app.ts'
import { statementsOf } from '#server/testing/counting/statements.ts'
import { done } from '#server/testing/http/answers.ts'
import { finishCourse } from '#server/testing/learning/finishing.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'
import { startRedis } from '#server/testing/redis/process.ts'

const redis = await startRedis()
const renderer = await loadSourceRenderer()
const near = await createTestApp({ REDIS_URL: redis.url }, renderer)
const far = await createTestApp({ REDIS_URL: redis.url }, renderer, near)
const course = await near.publishCourse(await near.signUp('ann'), { title: 'Bread' })
afterAll(async () => {
  await far.close()
  await near.close()
  await redis.close()
})

async function holder(name: string) {
  const person = await near.signUp(name)
  await finishCourse(near, person, course)
  const json = { name: `${name} of Sofia` }
  const { code } = await done<{ code: string }>(
    near,
    person,
    `POST /certificate/${course.id}`,
    json,
  )
  return { person, code }
}

const read = async ({ url }: TestApp, code: string, cookie = '') =>
  (await fetch(`${url}/certificate/${code}`, { headers: { cookie } })).text()

test('search engines leave it out, and it loads nothing from other origins', async () => {
  const { code } = await holder('bob')
  const html = await read(near, code)
  expect(html).toContain('bob of Sofia')
  expect(html).toContain('<meta name="robots" content="noindex">')
  expect(html).toContain(`/certificate/${code}</b>`)
  expect(html).toContain(`/share/certificate-${course.id}.jpg`)
  const links = [...html.matchAll(/(?:src|href)="(https?:[^"]*)"/g)].map(([, link = '']) => link)
  expect(links.filter((link) => !link.startsWith(near.url))).toEqual([
    'https://social.knowledge-bazaar.example',
  ])
})

test('guests get it from the cache, however its code is written, and never somebody else’s page', async () => {
  const { person, code } = await holder('fay')
  await read(near, code)
  for (const written of [code, code.toUpperCase()]) {
    const sent = await statementsOf(() => read(near, written))
    expect(sent.filter(({ text }) => /\bcertificates\b/.test(text))).toEqual([])
  }
  expect(await read(near, code, person.cookie)).toContain('"withdraw":true')
  expect(await read(near, code)).toContain('"withdraw":false')
})

test('a withdrawn one disappears from the caches of all nodes', async () => {
  const { person, code } = await holder('gus')
  for (const node of [near, far]) expect(await read(node, code)).toContain('gus of')
  await done(near, person, `DELETE /certificate/${code}`)
  expect(await read(near, code)).not.toContain('gus of')
  // Sooner than the cache entry would expire.
  await expect.poll(() => read(far, code), { timeout: 2500, interval: 30 }).not.toContain('gus of')
  expect(await read(far, code)).toContain('This certificate was withdrawn')
})

test('its link preview is a drawing of the right size without a name', async () => {
  const answer = await fetch(`${near.url}/share/certificate-${course.id}.jpg`)
  expect(answer.headers.get('content-type')).toBe('image/jpeg')
  const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
  expect([width, height]).toEqual([1200, 630])
  const drawn = await (await fetch(`${near.url}/art/certificate/${course.id}.svg`)).text()
  expect(drawn).not.toMatch(/<text|Bread/)
})
