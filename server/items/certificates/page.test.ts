/**
 * Tests the page of a certificate for guests: it is cached, the same on all nodes, and removed from the cache once
 * the certificate ends.
 */
import pg from 'pg'
import sharp from 'sharp'
import { afterAll, expect, test, vi } from 'vitest'
import type { CreatedCourse } from '#contract/courses.ts'
import { COURSE_LESSONS } from '#contract/limits.ts'
import { createTestApp, type Person, type TestApp } from '#server/testing/app.ts'
import { finishCourse } from '#server/testing/learning/finishing.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'
import { startRedis } from '#server/testing/redis/process.ts'

const redis = await startRedis()
const renderer = await loadSourceRenderer()
const near = await createTestApp({ REDIS_URL: redis.url }, renderer)
const far = await createTestApp({ REDIS_URL: redis.url }, renderer, near)
const ann = await near.signUp('ann')
const course = await near.publishCourse(ann, { title: 'Bread & <salt>' })
afterAll(async () => {
  await far.close()
  await near.close()
  await redis.close()
})

async function holder(
  name: string,
  of: CreatedCourse = course,
): Promise<{ person: Person; code: string }> {
  const person = await near.signUp(name)
  await finishCourse(near, person, of)
  const json = { name: `${name} & <Sons>` }
  const path = `/certificate/${of.id}`
  const { body } = await near.call<{ code: string }>('POST', path, { as: person, json })
  return { person, code: body.code }
}

const read = async ({ url }: TestApp, code: string) => {
  const answer = await fetch(`${url}/certificate/${code}`)
  return { status: answer.status, html: await answer.text() }
}

/** Counts statements about certificates on all connections of this process while `act` runs. */
async function statementsOf(act: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  await act()
  const sent = spy.mock.calls.map(([query]: readonly unknown[]) => JSON.stringify(query) ?? '')
  spy.mockRestore()
  return sent.filter((text) => /\bcertificates\b/.test(text)).length
}

test('an unknown certificate has no page', async () => {
  expect((await read(near, '0'.repeat(26))).status).toBe(404)
  expect((await read(near, 'nonsense')).status).toBe(404)
})

test('names are escaped on the page and in its head', async () => {
  const { code } = await holder('bob')
  const { status, html } = await read(near, code)
  expect(status).toBe(200)
  expect(html).not.toMatch(/<Sons>|<salt>/)
  expect(html).toContain('bob &amp; &lt;Sons&gt;')
  expect(html).toContain('<meta name="robots" content="noindex">')
  expect(html).toContain(`/certificate/${code}</b>`)
  expect(html).toContain(`/share/certificate-${course.id}.jpg`)
  // The page loads nothing from other origins.
  const links = [...html.matchAll(/(?:src|href)="(https?:[^"]*)"/g)].map(([, link = '']) => link)
  expect(links.filter((link) => !link.startsWith(near.url))).toEqual([
    'https://social.knowledge-bazaar.example',
  ])
})

test('guests get it from the cache, however its code is written, and never somebody else’s page', async () => {
  const { person, code } = await holder('fay')
  await read(near, code)
  expect(await statementsOf(() => read(near, code))).toBe(0)
  expect(await statementsOf(() => read(near, code.toUpperCase()))).toBe(0)
  const own = await fetch(`${near.url}/certificate/${code}`, { headers: { cookie: person.cookie } })
  expect(await own.text()).toContain('"withdraw":true')
  expect((await read(near, code)).html).toContain('"withdraw":false')
})

test('a withdrawn one disappears from the caches of all nodes', async () => {
  const { person, code } = await holder('gus')
  for (const node of [near, far]) expect((await read(node, code)).html).toContain('gus &amp;')
  const began = performance.now()
  const { status } = await near.call('DELETE', `/certificate/${code}`, { as: person })
  expect(status).toBe(204)
  expect((await read(near, code)).html).not.toContain('gus')
  await expect
    .poll(async () => (await read(far, code)).html, { timeout: 2500, interval: 30 })
    .not.toContain('gus')
  // Sooner than the cache entry would expire.
  expect(performance.now() - began).toBeLessThan(2500)
  const { status: shown, html } = await read(far, code)
  expect(shown).toBe(200)
  expect(html).toContain('This certificate was withdrawn')
  expect(html).toContain('<meta name="robots" content="noindex">')
})

test('a course of a hundred lessons also has one', async () => {
  const lessons = course.lessons.map(({ id }) => id)
  while (lessons.length < COURSE_LESSONS.max) lessons.push((await near.publishLesson(ann)).id)
  const long = await near.publishCourse(ann, { lessons })
  const { code } = await holder('hal', long)
  const { html } = await read(near, code)
  expect(html).toContain('with all of its 100 lessons')
  expect(html.match(/<li /g)?.length).toBeGreaterThanOrEqual(100)
})

test('its link preview is a drawing of the right size without a name', async () => {
  const answer = await fetch(`${near.url}/share/certificate-${course.id}.jpg`)
  expect(answer.headers.get('content-type')).toBe('image/jpeg')
  const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
  expect([width, height]).toEqual([1200, 630])
  const drawn = await (await fetch(`${near.url}/art/certificate/${course.id}.svg`)).text()
  expect(drawn).not.toMatch(/<text|Bread/)
})
