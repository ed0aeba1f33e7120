/** Tests what search engines and link previews read of every page. */
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { COURSE_LESSONS } from '#contract/limits.ts'
import { LOCALES } from '#contract/messages/messages.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { guardsOf } from '#server/testing/guards.ts'
import { loadRouteTable, loadSourceRenderer } from '#server/testing/pages.ts'
import { openTestApp } from '#server/testing/setup.ts'

const rows = await loadRouteTable()
const guards = guardsOf(rows)
const isPublic = (access: string) => access === 'all' || access === 'guest'
/** Pages that are open to everybody, but reached only by a link, a code, a name, a query or without a network. */
const isReachedByLink = (path: string) =>
  /^\/(?:password|email|search|offline|certificate|by)(?:\/|$)/.test(path)
const publicRows = rows.filter(
  ([path, access]) => isPublic(access) && path !== '*' && !isReachedByLink(path),
)
const readerOf = (access: string) => (access === 'administrator' ? 'administrator' : 'owner')
/** Leaves out pages that redirect this reader. */
const ownRows = rows
  .filter(([path, access]) => !isPublic(access) || isReachedByLink(path))
  .filter(([path, access]) => guards[path]?.sent[readerOf(access)] === undefined)

const app = await openTestApp({}, await loadSourceRenderer())
const owner = await app.signUp('owner')
const administrator = await app.signUp('administrator')
await setRole(app.app.database.db, 'administrator', 'administrator')
const lessons: number[] = []
while (lessons.length < COURSE_LESSONS.min) lessons.push((await app.publishLesson(owner)).id)
const { id } = await app.publishCourse(owner, { lessons })
const { _id } = owner.session
const scene = {
  lesson: lessons[1] ?? 0,
  course: id,
  ids: { owner: _id, user: _id, buyer: _id, administrator: _id },
}

const addressOf = (path: string) => guards[path]?.address(scene) ?? ''

async function read(path: string, cookie?: string) {
  const answer = await fetch(app.url + path, { headers: cookie === undefined ? {} : { cookie } })
  const html = await answer.text()
  const head = html.slice(0, html.indexOf('</head>'))
  const all = (pattern: RegExp) => [...head.matchAll(pattern)].map((match) => match[1] ?? '')
  return {
    html,
    titles: all(/<title>([^<]*)<\/title>/g),
    one: (name: string) =>
      all(new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`, 'g')),
    canonical: all(/<link rel="canonical" href="([^"]*)"/g),
    alternates: all(/<link rel="alternate" href="([^"]*)" hreflang/g),
    jsonLd: all(/<script type="application\/ld\+json">(.*?)<\/script>/gs).map((text): unknown =>
      JSON.parse(text),
    ),
  }
}

function addressesIn(value: unknown): string[] {
  if (typeof value === 'string') return /^(?:https?:|\/)/.test(value) ? [value] : []
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(addressesIn)
    : []
}

describe.each(publicRows.map(([path]) => path))('the head of %s', (path) => {
  test('says what it is, in both languages', async () => {
    const address = addressOf(path)
    const said: string[] = []
    for (const lang of ['en', 'bg']) {
      const page = await read(`${address}?lang=${lang}`)
      expect(page.html).toContain(`<html lang="${lang}"`)
      expect(page.titles).toHaveLength(1)
      expect(page.one('og:title')).toEqual(page.titles)
      expect(page.one('description')).toEqual(page.one('og:description'))
      expect(page.one('description')[0]?.length).toBeGreaterThan(10)
      expect(page.one('robots')).toEqual([])
      said.push(page.titles[0] ?? '')
    }
    expect(new Set(said).size).toBe(2)
  })

  test('has a canonical URL, and one for each language', async () => {
    const address = addressOf(path)
    const plain = await read(address)
    const canonical = plain.canonical[0] ?? ''
    expect(plain.canonical).toHaveLength(1)
    expect(canonical.startsWith(`${app.url}/`)).toBe(true)
    expect(canonical).not.toContain('?')
    expect(plain.one('og:url')).toEqual([canonical])
    const addresses = LOCALES.map((locale) => `${canonical}?lang=${locale}`)
    expect(plain.alternates).toEqual([...addresses, canonical])
    const named = await read(`${address}?lang=bg&utm_source=x`)
    expect(named.canonical).toEqual([`${canonical}?lang=bg`])
    expect(named.alternates).toEqual(plain.alternates)
    expect((await fetch(canonical)).status).toBe(200)
  })

  test('shows a picture in a format that every preview supports', async () => {
    const page = await read(addressOf(path))
    const [image = ''] = page.one('og:image')
    expect(page.one('twitter:image')).toEqual([image])
    expect(page.one('twitter:card')).toEqual(['summary_large_image'])
    const answer = await fetch(image)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    const { format, width, height } = await sharp(await answer.arrayBuffer()).metadata()
    expect({ format, width, height }).toEqual({ format: 'jpeg', width: 1200, height: 630 })
  })
})

test('items and lists have structured data with absolute URLs', async () => {
  const lists = ['/', '/lesson/all', '/course/all']
  const paths = [...lists, '/lesson/details/:id', '/course/details/:id/:lessonId?']
  const found: string[] = []
  for (const path of paths)
    for (const data of (await read(addressOf(path))).jsonLd) {
      expect(data).toMatchObject({ '@context': 'https://schema.org' })
      const ours = addressesIn(data).filter((address) => address !== 'https://schema.org')
      expect(ours.filter((address) => !address.startsWith(app.url))).toEqual([])
      found.push(path)
    }
  expect(found).toEqual(paths)
})

test('the opening of a lesson is in its preview and its structured data, as text', async () => {
  const opening = 'A "jar" & <b>two</b> spoons of rye.'
  const { id } = await app.publishLesson(owner, { description: 'How it begins', opening })
  const written = 'How it begins A &quot;jar&quot; &amp; &lt;b&gt;two&lt;/b&gt; spoons of rye.'
  for (const lang of ['en', 'bg']) {
    const page = await read(`/lesson/details/${id}?lang=${lang}`)
    for (const name of ['description', 'og:description'])
      expect([name, page.one(name)]).toEqual([name, [written]])
    expect(page.jsonLd[0]).toMatchObject({
      '@graph': [
        { '@type': 'LearningResource', description: 'How it begins', abstract: opening },
        {},
      ],
    })
  }
  const without = await read(addressOf('/lesson/details/:id'))
  expect(JSON.stringify(without.jsonLd)).not.toContain('abstract')
})

test.each(ownRows)('%s is not indexed', async (path, access) => {
  const person = readerOf(access) === 'administrator' ? administrator : owner
  const page = await read(addressOf(path), person.cookie)
  expect(page.titles).toHaveLength(1)
  expect([page.one('robots'), page.canonical, page.alternates]).toEqual([['noindex'], [], []])
})

test('a person’s page is indexed once they published something, under the current name only', async () => {
  const page = await read('/by/owner?lang=bg')
  expect(page.titles[0]).toMatch(/^owner /)
  expect(page.canonical).toEqual([`${app.url}/by/owner?lang=bg`])
  expect(page.jsonLd[0]).toMatchObject({ '@type': 'ProfilePage', mainEntity: { name: 'owner' } })
  const own = page.one('og:image')[0] ?? ''
  for (const preview of [own, `${app.url}/share/avatar-${_id}.jpg`])
    expect([preview, (await fetch(preview)).status]).toEqual([preview, 200])
  expect((await read('/by/administrator')).one('robots')).toEqual(['noindex'])
  const other = await fetch(`${app.url}/by/OWNER?show=courses`, { redirect: 'manual' })
  expect([other.status, other.headers.get('location')]).toEqual([302, '/by/owner?show=courses'])
})

test('searches and not-found pages are not indexed', async () => {
  for (const path of [
    '/lesson/all?search=x',
    '/course/all?search=x',
    '/tag/nothing-has-it',
    '/no/such/page',
    '/lesson/details/999999',
  ]) {
    const page = await read(path)
    expect([path, page.one('robots'), page.canonical]).toEqual([path, ['noindex'], []])
  }
})
