/** What a browser reads before it offers to install the site. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#server/testing/app.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'

let app: TestApp

beforeAll(async () => {
  app = await createTestApp(
    { SITE_NAME: 'Zanaria & <Sons>', SITE_NAME_BG: 'Занария' },
    await loadSourceRenderer(),
  )
})
afterAll(() => app.close())

const get = (path: string, lang = 'en') =>
  fetch(app.url + path, { headers: { cookie: `lang=${lang}` } })

test.each([
  '/manifest/de.webmanifest',
  '/manifest/en',
  '/manifest/toString',
  '/manifest/..%2fregister.ts',
])('there is no manifest %s', async (path) => {
  expect((await get(path)).status).toBe(404)
})

describe.each([
  ['en', 'Zanaria & <Sons>', 'Lessons'],
  ['bg', 'Занария', 'Уроци'],
])('in %s', (lang, name, first) => {
  test('every page names the manifest of its language, and the policy lets it in', async () => {
    const page = await get('/about', lang)
    const html = await page.text()
    const href = /<link rel="manifest" href="([^"]+)">/.exec(html)?.[1]
    expect(href).toBe(`/manifest/${lang}.webmanifest`)
    expect(html).toContain('<link rel="apple-touch-icon" href="/manifest/icon-apple-180.png">')
    expect(html).toContain('<meta name="theme-color" content="#103b30">')
    expect(page.headers.get('content-security-policy')).toContain("manifest-src 'self'")
  })

  test('the manifest has the site’s own name, and nothing of a person', async () => {
    const answer = await get(`/manifest/${lang}.webmanifest`)
    expect(answer.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=86400')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(await answer.json()).toMatchObject({
      id: '/',
      start_url: '/',
      scope: '/',
      display: 'standalone',
      theme_color: '#103b30',
      name,
      lang,
      shortcuts: [{ name: first }, {}],
    })
  })

  test('its icons have the sizes that it tells, and its shortcuts open', async () => {
    const manifest: {
      readonly icons: readonly { src: string; sizes: string; type: string; purpose: string }[]
      readonly shortcuts: readonly { url: string }[]
    } = JSON.parse(await (await get(`/manifest/${lang}.webmanifest`)).text())
    expect(manifest.icons.map(({ purpose }) => purpose)).toEqual(['any', 'any', 'maskable'])
    for (const { src, sizes, type } of manifest.icons) {
      const answer = await get(src)
      expect(answer.headers.get('content-type')).toBe(type)
      const { width, height } = await sharp(await answer.arrayBuffer()).metadata()
      expect(`${width}x${height}`).toBe(sizes)
    }
    for (const { url } of manifest.shortcuts) expect((await get(url, lang)).status).toBe(200)
  })
})

test('the icon for phones that read no manifest fills its square', async () => {
  const { data, info } = await sharp(
    await (await get('/manifest/icon-apple-180.png')).arrayBuffer(),
  )
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect([info.width, info.height]).toEqual([180, 180])
  expect([...data.subarray(0, 3)]).toEqual([0x10, 0x3b, 0x30])
})
