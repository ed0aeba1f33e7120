/** Tests that a site with its own name, links and picture origin uses them on every page. */
import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { setRole } from '#server/people/accounts/store.ts'
import { LOCALES } from '#contract/messages/messages.ts'
import { readConfig } from '#server/kernel/config.ts'
import { resolveSettings } from '#server/kernel/settings/site-settings.ts'
import { catalogueOf } from '#server/kernel/text/catalogues.ts'
import { guardsOf } from '#server/testing/guards.ts'
import { loadRouteTable, loadSourceRenderer } from '#server/testing/pages.ts'
import { openTestApp } from '#server/testing/setup.ts'

const CDN = 'https://pictures.example:8443'
const OURS = /Knowledge Bazaar|Базар на знания|Wissensbasar/iu
const rows = await loadRouteTable()
const guards = guardsOf(rows)

const environment = {
  FILES_URL: CDN,
  SITE_NAME: 'Zanaria & <Sons>',
  SITE_NAME_BG: 'Занария',
  SITE_TAGLINE: 'Learn at the fair',
  SOCIAL_URL: 'https://social.zanaria.example',
  MAIL_FROM: 'hello@zanaria.example',
  OWNER_EMAIL: 'owner@zanaria.example',
  NODE_ENV: 'development',
  WELCOME_POINTS: '600',
}
const app = await openTestApp(environment, await loadSourceRenderer())
const administrator = await app.signUp('chief')
const other = await app.signUp('learner')
await setRole(app.app.database.db, 'chief', 'administrator')
const course = await app.publishCourse(administrator)
const [lesson] = course.lessons
const id = administrator.session._id
const ids = { user: other.session._id, owner: id, buyer: id, administrator: id }
const scene = { lesson: lesson?.id ?? 0, course: course.id, ids }

const PICTURE = /^\/?(?:files\/pictures|art|share)\b/

/** Returns URLs of pictures in the markup, structured data included. */
function picturesIn(html: string): string[] {
  const markup = html.replaceAll(/<script type="application\/json".*?<\/script>/gs, '')
  const attributes = [...markup.matchAll(/\s(?:src|srcset|content)="([^"]*)"/gi)].flatMap(
    ([, value = '']) => value.split(', ').map((each) => each.split(' ')[0] ?? ''),
  )
  const structured = [...markup.matchAll(/"image":"([^"]*)"/g)].map(([, value = '']) => value)
  return [...attributes, ...structured].filter((address) =>
    PICTURE.test(address.replace(/^https?:\/\/[^/]+/, '')),
  )
}

describe.each(rows.map(([path]) => path))('%s', (path) => {
  const shown: { lang: string; html: string; policy: string | null }[] = []
  beforeAll(async () => {
    for (const [lang, as] of [
      ['en', null],
      ['en', administrator],
      ['bg', administrator],
    ] as const) {
      const headers = { cookie: `lang=${lang}; ${as?.cookie ?? ''}` }
      const answer = await fetch(app.url + (guards[path]?.address(scene) ?? path), { headers })
      const policy = answer.headers.get('content-security-policy')
      shown.push({ lang, html: await answer.text(), policy })
    }
  })

  test('has only its own name, in both languages', () => {
    for (const { lang, html } of shown) {
      expect(html.match(OURS)?.[0]).toBeUndefined()
      const lost = [
        lang === 'en' ? 'Zanaria &amp; &lt;Sons&gt;' : 'Занария',
        '<p>Learn at the fair</p>',
        '<a href="https://social.zanaria.example">',
        '<a href="mailto:hello@zanaria.example">',
      ].filter((part) => !html.replace(/<script.*?<\/script>/gs, '').includes(part))
      expect(lost).toEqual([])
      const title = /<title>([^<]*)<\/title>/.exec(html)?.[1]
      expect(title).toMatch(lang === 'en' ? / · Zanaria &amp; &lt;Sons&gt;$/ : / · Занария$/)
      expect(html.includes('<Sons>')).toBe(false)
      expect(/\{(?:site|tagline|brand)\}/.exec(html)?.[0]).toBeUndefined()
    }
  })

  test('uses only pictures of FILES_URL', () => {
    for (const { html, policy } of shown) {
      const pictures = picturesIn(html)
      expect(pictures.filter((address) => !address.startsWith(`${CDN}/`))).toEqual([])
      // Every page names a picture for previews, in two tags.
      expect(pictures.length).toBeGreaterThanOrEqual(2)
      expect(policy).toContain(`img-src 'self' data: blob: ${CDN};`)
    }
  })
})

test("a lesson uses its cover, its owner's picture and its preview from there, in every width", async () => {
  const html = await (await fetch(`${app.url}/lesson/details/${scene.lesson}`)).text()
  const pictures = picturesIn(html)
  for (const part of ['/1280.webp', '/320.avif', '/320.webp', '/share/'])
    expect(pictures.some((address) => address.includes(part))).toBe(true)
  expect(html).toContain(`<link rel="canonical" href="${app.url}/lesson/details/${scene.lesson}">`)
})

test('the API returns paths of this site, which work', async () => {
  const { body } = await app.call<{ thumbnail: string; ownerImage: string }>(
    'GET',
    `/lesson/${scene.lesson}`,
  )
  for (const path of [body.thumbnail, body.ownerImage]) {
    expect(path).toMatch(/^\/(?:files\/pictures|art)\//)
    expect((await fetch(app.url + path)).status).toBe(200)
  }
})

test('mails, the API description and the export have its own name', async () => {
  const json = {
    senderEmail: 'guest@people.example',
    topic: 'A problem',
    emailText: 'What is wrong with it, in thirty letters.',
    kind: 'report',
  }
  await app.call('POST', '/email/send', { json })
  await app.call('POST', '/identity/password/forgot', {
    json: { email: administrator.session.email },
  })
  await app.runJobs()
  const list = await (await fetch(`${app.url}/dev/mail`)).text()
  const ids = [...list.matchAll(/href="\/dev\/mail\/(\d+)"/g)].map(([, id]) => id)
  expect(ids.length).toBeGreaterThan(2)
  expect(list).toContain('owner@zanaria.example')
  for (const path of ids.flatMap((id) => [`/dev/mail/${id}`, `/dev/mail/${id}/html`])) {
    const answer = await fetch(app.url + path)
    const text = await answer.text()
    expect(text).not.toMatch(OURS)
    if (answer.status === 200) expect(text).toContain('Zanaria &amp; &lt;Sons&gt;')
  }
  const { body } = await app.call<{ info: { title: string } }>('GET', '/openapi.json')
  expect(body.info.title).toBe('Zanaria & <Sons>')
  const archive = await app.call('GET', '/identity/export', { as: administrator })
  expect(archive.headers.get('content-disposition')).toBe(
    'attachment; filename="zanaria-sons.json"',
  )
  const outbox = await app.call('GET', '/admin/mails', { as: administrator })
  expect(JSON.stringify(outbox.body)).not.toMatch(OURS)
})

test("no text contains the site's name, except its default in each language", () => {
  for (const locale of LOCALES) {
    const { siteName, ...texts } = catalogueOf(locale)
    expect(siteName).toMatch(OURS)
    expect(JSON.stringify(texts)).not.toMatch(OURS)
  }
  expect(readFileSync('server/pages/favicon.svg', 'utf8')).not.toMatch(OURS)
})

test('a name given only in English is used for both languages', () => {
  const namesOf = (given: Record<string, string>) =>
    resolveSettings(readConfig(given).settings).settings.names
  expect(namesOf({ SITE_NAME: 'Zanaria' })).toMatchObject({ bg: { site: 'Zanaria' } })
  expect(namesOf({ SITE_NAME_BG: 'Занария' })).toMatchObject({ en: { site: 'Knowledge Bazaar' } })
  expect(namesOf({})).toMatchObject({ bg: { site: 'Базар на знания' } })
  for (const bad of [' ', 'x'.repeat(121)])
    expect(() => readConfig({ SITE_NAME: bad })).toThrowError('SITE_NAME')
})

describe('what a browser reads before it offers to install the site', () => {
  const get = (path: string, lang = 'en') =>
    fetch(app.url + path, { headers: { cookie: `lang=${lang}` } })

  test.each([
    '/manifest/fr.webmanifest',
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
    test('every page links to the manifest of its language, and the policy allows it', async () => {
      const page = await get('/about', lang)
      const html = await page.text()
      const href = /<link rel="manifest" href="([^"]+)">/.exec(html)?.[1]
      expect(href).toBe(`/manifest/${lang}.webmanifest`)
      expect(html).toContain('<link rel="apple-touch-icon" href="/manifest/icon-apple-180.png">')
      expect(html).toContain('<meta name="theme-color" content="#103b30">')
      expect(page.headers.get('content-security-policy')).toContain("manifest-src 'self'")
    })

    test("the manifest has the site's own name, and no personal data", async () => {
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

    test('its icons have the declared sizes, and its shortcuts work', async () => {
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

  test('the icon for phones without manifests fills its square', async () => {
    const { data, info } = await sharp(
      await (await get('/manifest/icon-apple-180.png')).arrayBuffer(),
    )
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([info.width, info.height]).toEqual([180, 180])
    expect([...data.subarray(0, 3)]).toEqual([0x10, 0x3b, 0x30])
  })
})
