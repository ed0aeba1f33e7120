/** Tests everything besides pages and calls: site maps, icons, previews, malformed URLs. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'
import { PREVIEWS_A_MINUTE } from '#contract/limits.ts'
import { createTestApp } from '#server/testing/app.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp({}, await loadSourceRenderer())
const owner = await app.signUp('owner')
const { id, lessons } = await app.publishCourse(owner)
const course = id
const lesson = lessons[0]?.id ?? 0

const get = (path: string, more: RequestInit = {}) =>
  fetch(app.url + path, { redirect: 'manual', ...more })

const query = (text: string, values: unknown[] = []) => app.app.database.pool.query(text, values)

async function onePicture(background: string): Promise<File> {
  const picture = sharp({ create: { width: 90, height: 60, channels: 3, background } })
  return new File([new Uint8Array(await picture.jpeg().toBuffer())], 'picture.jpg')
}

describe('malformed URLs', () => {
  const broken = [
    '/lesson/%ff',
    '/course/%ff',
    '/%',
    '/lesson/details/%E0%A4%A',
    '/lesson/details/%00',
    '/lesson/all/%c0%ae%c0%ae/x',
    `/${'a'.repeat(2000)}`,
    '/lesson/details/1e3',
    '/course/details/-1/99999999999999999999',
  ]

  test.each(broken)('a browser gets a page for %s', async (path) => {
    for (const headers of [{}, { cookie: owner.cookie }]) {
      const answer = await get(path, { headers })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        404,
        'text/html; charset=utf-8',
      ])
      expect(await answer.text()).toContain('<html lang="en"')
    }
  })

  test('malformed escapes in a query do no harm', async () => {
    expect((await get('/lesson/all?search=%ff%')).status).toBe(200)
    expect((await get('/?lang=%ff')).status).toBe(200)
  })

  test('what lies beside files is no page', async () => {
    for (const path of [
      '/assets/none.js',
      '/art/none/x.svg',
      '/share/none.jpg',
      '/locales/xx.json',
      '/manifest/xx.webmanifest',
      '/sitemap/none.xml',
    ])
      expect([path, (await get(path)).headers.get('content-type')]).toEqual([
        path,
        'application/problem+json; charset=utf-8',
      ])
  })
})

test('the old icon URL redirects to the icon', async () => {
  const answer = await get('/favicon.ico')
  expect([answer.status, answer.headers.get('location')]).toEqual([301, '/favicon.svg'])
  expect(answer.headers.get('cache-control')).toContain('max-age')
})

test('a search without scripts leads to the chosen list', async () => {
  const leads = async (query: string) => (await get(`/search${query}`)).headers.get('location')
  expect(await leads('')).toBe('/lesson/all')
  expect(await leads('?kind=lesson&search=+')).toBe('/lesson/all')
  expect(await leads('?kind=course&search=')).toBe('/course/all')
  expect(await leads('?kind=course&search=a%26b')).toBe('/course/all?search=a%26b')
  expect(await leads('?kind=//evil.example&search=x')).toBe('/lesson/all?search=x')
  expect(await leads('?q=')).toBe('/lesson/all')
  expect((await get('/search?q=x')).status).toBe(200)
})

describe('pictures for previews', () => {
  test('a preview is removed with its picture, and leftovers are not served', async () => {
    const { id, thumbnail } = await app.publishLesson(owner, {}, await onePicture('#a1b2c3'))
    const key = thumbnail.split('/')[3] ?? ''
    const shared = await get(`/share/${key}.jpg`)
    expect([shared.status, shared.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(shared.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect((await get(`/share/${key}.jpg`)).status).toBe(200)
    await app.call('DELETE', `/lesson/${id}`, { as: owner })
    await app.runJobs()
    expect((await get(`/share/${key}.jpg`)).status).toBe(404)
    const folder = join(app.dataDir, 'files', 'pictures', key)
    await mkdir(folder)
    await writeFile(join(folder, 'share.jpg'), 'of a picture that has gone')
    expect((await get(`/share/${key}.jpg`)).status).toBe(404)
  })

  test('a generated cover becomes a JPEG too', async () => {
    const answer = await get(`/share/cover-${lesson}.jpg`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(answer.headers.get('cache-control')).toContain('immutable')
  })
})

test('a network that asks for too many previews waits, others do not', async () => {
  const settings = { RATE_LIMITS: 'on', TRUST_PROXY: '1' }
  const limited = await createTestApp(settings, await loadSourceRenderer())
  onTestFinished(() => limited.close())
  const ask = (address: string) =>
    fetch(`${limited.url}/share/${'0'.repeat(40)}.jpg`, { headers: { 'x-forwarded-for': address } })
  for (let n = 0; n < PREVIEWS_A_MINUTE; n++) expect((await ask('192.0.2.1')).status).toBe(404)
  // The limit refills while the loop runs.
  let refused = await ask('192.0.2.1')
  for (let n = 0; n < PREVIEWS_A_MINUTE && refused.status !== 429; n++)
    refused = await ask('192.0.2.1')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await ask('192.0.2.2')).status).toBe(404)
})

test('pages offer AVIF covers from the beginning', async () => {
  const { id, thumbnail } = await app.publishLesson(owner, {}, await onePicture('#c3b2a1'))
  const smaller = thumbnail.replace('.webp', '.avif')
  for (const path of [`/lesson/details/${id}`, '/lesson/all']) {
    const html = await (await get(path)).text()
    expect(html).toMatch(new RegExp(`<source type="image/avif" srcSet="[^"]*${smaller} 640w`, 'i'))
  }
  expect((await get(smaller)).headers.get('content-type')).toBe('image/webp')
  await app.runJobs()
  expect((await get(smaller)).headers.get('content-type')).toBe('image/avif')
})

describe('the map of the site', () => {
  test('robots.txt names it', async () => {
    const text = await (await get('/robots.txt')).text()
    expect(text).toContain(`Sitemap: ${app.url}/sitemap.xml`)
    expect(text).toContain('Disallow: /api/')
  })

  test('it lists pages, lessons and courses in both languages', async () => {
    const answer = await get('/sitemap.xml')
    expect(answer.headers.get('content-type')).toBe('application/xml; charset=utf-8')
    const xml = await answer.text()
    for (const path of [
      '/',
      '/about',
      '/course/all',
      `/lesson/details/${lesson}`,
      `/course/details/${course}`,
    ]) {
      expect(xml).toContain(`<loc>${app.url}${path}</loc>`)
      expect(xml).toContain(`hreflang="bg" href="${app.url}${path}?lang=bg"/>`)
    }
    expect(xml).not.toContain('/login')
    expect(xml.match(/<url>/g)?.length).toBe(xml.match(/<\/url>/g)?.length)
  })

  test('a deleted lesson is not in it, even while refunds are pending', async () => {
    const { id } = await app.publishLesson(owner)
    await query('update lessons set deleted_at = now(), refunds_due = true where id = $1', [id])
    expect(await (await get('/sitemap.xml')).text()).not.toContain(`/lesson/details/${id}<`)
  })

  test('above fifty thousand URLs it is an index of files', async () => {
    await query(`select setval(pg_get_serial_sequence('lessons', 'id'), 60000)`)
    const { id } = await app.publishLesson(owner)
    const index = await (await get('/sitemap.xml')).text()
    const files = [...index.matchAll(/<loc>([^<]*)<\/loc>/g)].map((match) => match[1] ?? '')
    expect(files).toEqual([
      `${app.url}/sitemap/pages.xml`,
      ...[1, 2, 3, 4, 5, 6, 7].map((file) => `${app.url}/sitemap/lessons-${file}.xml`),
      `${app.url}/sitemap/courses-1.xml`,
    ])
    const found = await Promise.all(files.map(async (file) => (await fetch(file)).text()))
    expect(found[7]).toContain(`/lesson/details/${id}<`)
    expect(found[1]).toContain(`/lesson/details/${lesson}<`)
    expect(found[8]).toContain(`/course/details/${course}<`)
    expect(found.join('').match(new RegExp(`/lesson/details/${lesson}<`, 'g'))).toHaveLength(1)
  })
})
