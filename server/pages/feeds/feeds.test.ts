/** Tests feeds as programs fetch them. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { setRole } from '#server/people/accounts/store.ts'
import { FEED_ITEMS } from '#contract/limits.ts'
import type { Person } from '#server/testing/app.ts'
import { readFeed, type ReadFeed } from '#server/testing/feeds/feeds.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'
import { done } from '#server/testing/http/answers.ts'
import { getRaw } from '#server/testing/http/raw-http.ts'
import { addLessons } from '#server/testing/rows.ts'
import { openTestApp } from '#server/testing/setup.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'
const ODD = ['a/b', '100%', '%2F', 'مرحبا', 'c#', '...', 'q?x=1', 'Ко́фе', 'x.atom']

const app = await openTestApp({ DAILY_REWARD_LIMIT: '10000' }, await loadSourceRenderer())
const ann = await app.signUp('ann')
const bob = await app.signUp('bob')
const chief = await app.signUp('chief')
await setRole(app.app.database.db, 'chief', 'administrator')
const made = await app.publishCourse(ann, { title: 'Brewing' })
const course = { id: made.id, lessons: made.lessons.map(({ id }) => id) }
const secrets = { article: `<p>${'The paid article. '.repeat(40)}</p>`, tags: 'Coffee' }
/** Ann's lesson with paid content. */
const paid = (await app.publishLesson(ann, { title: '<b>Slow</b> & "brew"', ...secrets })).id
for (const tag of ODD) await app.publishLesson(bob, { title: `Of ${tag}`, tags: tag })

const idOf = (person: Person) => person.session._id
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(app.url + path, { headers, redirect: 'manual' })
async function feedAt(path: string): Promise<ReadFeed> {
  const answer = await get(path)
  expect([path, answer.status]).toEqual([path, 200])
  return readFeed(await answer.text())
}
const titlesAt = async (path: string) => (await feedAt(path)).entries.map(({ title }) => title)
const ofTag = (tag: string) => `/feeds/tag/${encodeURIComponent(tag)}.atom`
const ofAuthor = (person: Person) => `/feeds/author/${idOf(person)}.atom`

describe('there is no feed', () => {
  test('of an unknown or erased person', async () => {
    const gone = await app.signUp('gone')
    await app.publishLesson(gone, { title: 'Left behind', tags: 'behind' })
    expect(await titlesAt(ofAuthor(gone))).toEqual(['Left behind'])
    await done(app, gone, 'POST /identity/erase', { password: gone.password })
    await app.runJobs()
    expect((await get(ofAuthor(gone))).status).toBe(404)
    expect(await titlesAt(ofTag('behind'))).toEqual([])
    expect(await titlesAt('/feeds/lessons.atom')).not.toContain('Left behind')
    for (const id of [NOBODY, 'ann', '', '%00', `${NOBODY}%0a`])
      expect([id, (await get(`/feeds/author/${id}.atom`)).status]).toEqual([id, 404])
  })

  test('at other URLs, nor is there a page', async () => {
    for (const path of ['', 'people.atom', 'lessons', 'tag/coffee', 'tag/.atom', 'tag/%20.atom'])
      expect([path, (await get(`/feeds/${path}`)).status]).toEqual([path, 404])
    expect((await get('/feeds/tag/%ff.atom')).status).toBe(400)
    expect((await get(ofTag('x'.repeat(31)))).status).toBe(400)
  })
})

describe('a feed has', () => {
  test('the newest lessons or courses first, with absolute URLs', async () => {
    const { entries, links, id } = await feedAt('/feeds/lessons.atom')
    expect(id).toBe(`${app.url}/feeds/lessons.atom`)
    expect(links).toEqual({
      self: `${app.url}/feeds/lessons.atom`,
      alternate: `${app.url}/lesson/all`,
    })
    expect(entries[0]).toMatchObject({
      title: 'Of x.atom',
      id: expect.stringMatching(`^${app.url}/lesson/details/\\d+$`),
      author: 'bob',
    })
    const times = entries.map(({ published }) => Date.parse(published))
    expect(times).toEqual(times.toSorted((one, other) => other - one))
    const courses = await feedAt('/feeds/courses.atom')
    expect(courses.entries.map((entry) => entry.id)).toEqual([
      `${app.url}/course/details/${course.id}`,
    ])
  })

  test('the content of cards and nothing paid, also for people who unlocked it', async () => {
    const answer = await get('/feeds/lessons.atom', { cookie: ann.cookie })
    const xml = await answer.text()
    const entry = readFeed(xml).entries.find(({ id }) => id.endsWith(`/${paid}`))
    const { body: card } = await app.call<{ description: string; thumbnail: string }>(
      'GET',
      `/lesson/${paid}`,
    )
    expect(entry).toMatchObject({
      title: '<b>Slow</b> & "brew"',
      summary: card.description,
      categories: ['Coffee'],
      enclosure: app.url + card.thumbnail,
    })
    expect(entry?.content).toContain(card.description)
    expect(xml).not.toMatch(/paid article|youtube|files\/resources|price/)
    expect((await get(card.thumbnail)).headers.get('content-type')).toBe(entry?.enclosureType)
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  test('both kinds for a tag and an author, each once', async () => {
    const both = await feedAt(ofAuthor(ann))
    expect(new Set(both.entries.map(({ id }) => id)).size).toBe(course.lessons.length + 2)
    expect(both.entries.map(({ title }) => title)).toContain('Brewing')
    expect(new Set(both.entries.map(({ author }) => author))).toEqual(new Set(['ann']))
    const [tag = ''] = both.entries.at(-1)?.categories ?? []
    const tagged = await feedAt(ofTag(tag.toUpperCase()))
    expect(tagged.entries.map(({ title }) => title)).toContain('Brewing')
  })

  test.each(ODD)('the items with the tag %s', async (tag) => {
    const { entries, links } = await feedAt(ofTag(tag))
    expect(entries.map(({ title }) => title)).toEqual([`Of ${tag}`])
    expect(await titlesAt((links['self'] ?? '').slice(app.url.length))).toEqual([`Of ${tag}`])
  })

  test('no items, and is valid, where there are none', async () => {
    for (const path of [ofTag('nothing'), ofTag("';--"), ofAuthor(chief)]) {
      const feed = await feedAt(path)
      expect(feed.entries).toEqual([])
      // Only signed-in people see the name of somebody who published nothing.
      expect(feed.title).not.toContain('chief')
    }
  })

  test(`at most ${FEED_ITEMS} items`, async () => {
    const more = await addLessons(app, bob, FEED_ITEMS)
    await app.app.database.pool.query(
      `insert into lesson_tags (tag, lesson_id) select 'many', unnest($1::bigint[])`,
      [more],
    )
    await app.publishLesson(bob, { title: 'The last', tags: 'many' })
    for (const path of ['/feeds/lessons.atom', ofTag('many')])
      expect((await titlesAt(path)).length).toBe(FEED_ITEMS)
  })
})

test("a suspended person's items stay in feeds until they are deleted", async () => {
  const eve = await app.signUp('eve')
  const { id } = await app.publishLesson(eve, { title: 'Of eve', tags: 'eves' })
  const paths = ['/feeds/lessons.atom', ofTag('eves'), ofAuthor(eve)]
  const have = async () =>
    Promise.all(paths.map(async (path) => (await titlesAt(path)).includes('Of eve')))
  const json = { reason: 'Spam, again' }
  await done(app, chief, `POST /admin/suspend/${idOf(eve)}`, json)
  // The cached feeds have expired.
  app.clock.time = new Date(Date.now() + 5000)
  try {
    expect(await have()).toEqual([true, true, true])
    expect((await feedAt(ofAuthor(eve))).title).toContain('eve')
  } finally {
    app.clock.time = null
  }
  await app.call('DELETE', `/lesson/${id}`, { as: chief, json })
  expect(await have()).toEqual([false, false, false])
})

describe('a client that has a feed', () => {
  test('gets 304 until an item changes', async () => {
    const first = await get(ofAuthor(ann))
    const etag = first.headers.get('etag') ?? ''
    const date = first.headers.get('last-modified') ?? ''
    expect(Date.parse(date)).toBeGreaterThan(0)
    for (const headers of [
      { 'if-none-match': etag },
      { 'if-none-match': `"other", ${etag}` },
      { 'if-modified-since': date },
    ] as const) {
      const again = await get(ofAuthor(ann), headers)
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    }
    expect((await get(ofAuthor(ann), { 'if-none-match': '"other"' })).status).toBe(200)
    const asked = { 'if-none-match': '"other"', 'if-modified-since': date }
    expect((await get(ofAuthor(ann), asked)).status).toBe(200)
    expect((await get(`${ofAuthor(ann)}?lang=bg`, { 'if-none-match': etag })).status).toBe(200)
    await app.publishLesson(ann, { title: 'Newer' })
    const after = await get(ofAuthor(ann), { 'if-none-match': etag })
    expect(after.status).toBe(200)
    expect(readFeed(await after.text()).entries[0]?.title).toBe('Newer')
  })

  test('gets 304 after likes and views', async () => {
    const etag = (await get('/feeds/lessons.atom')).headers.get('etag') ?? ''
    await done(app, bob, `POST /lesson/like/${paid}`)
    app.clock.time = new Date(Date.now() + 60_000)
    expect((await get('/feeds/lessons.atom', { 'if-none-match': etag })).status).toBe(304)
    app.clock.time = null
  })

  test('gets the encoding it accepts', async () => {
    const plain = await getRaw(`${app.url}/feeds/lessons.atom`)
    expect(plain.headers['content-type']).toBe('application/atom+xml; charset=utf-8')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.headers).toMatchObject({
      vary: 'Accept-Encoding',
      'cache-control': 'public, no-cache',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    })
    for (const [name, open] of [
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const) {
      const answer = await getRaw(`${app.url}/feeds/lessons.atom`, { 'accept-encoding': name })
      expect(answer.headers['content-encoding']).toBe(name)
      expect(open(answer.bytes).equals(plain.bytes)).toBe(true)
    }
  })
})

test("the language is that of the URL, or the site's default, for everybody", async () => {
  const titleOf = async (path: string) => (await feedAt(path)).title
  expect(await titleOf('/feeds/lessons.atom')).toBe('New lessons · Knowledge Bazaar')
  expect(await titleOf('/feeds/lessons.atom?lang=bg')).toBe('Нови уроци · Базар на знания')
  expect(await titleOf('/feeds/courses.atom?lang=xx')).toBe('New courses · Knowledge Bazaar')
  expect(await titleOf(`${ofAuthor(ann)}?lang=bg`)).toBe('Ново от ann · Базар на знания')
  expect(await titleOf(`${ofTag('Coffee')}?lang=en&x=1`)).toBe(
    'New with the tag coffee · Knowledge Bazaar',
  )
  const asked = await get('/feeds/lessons.atom', { 'accept-language': 'bg', cookie: 'lang=bg' })
  expect(readFeed(await asked.text()).title).toBe('New lessons · Knowledge Bazaar')
  const { links } = await feedAt('/feeds/lessons.atom?lang=bg')
  expect(links['self']).toBe(`${app.url}/feeds/lessons.atom?lang=bg`)
})

test('pages link to their feed, in the head and visibly', async () => {
  const pages = [
    ['/lesson/all', '/feeds/lessons.atom', null],
    ['/course/all', '/feeds/courses.atom', null],
    [`/tag/${encodeURIComponent('a/b')}`, ofTag('a/b'), null],
    [`/profile/${idOf(bob)}`, ofAuthor(bob), ann],
    [`/profile/${idOf(ann)}`, ofAuthor(ann), ann],
  ] as const
  for (const [page, feed, as] of pages)
    for (const lang of ['en', 'bg']) {
      const answer = await get(page, { cookie: `lang=${lang}; ${as?.cookie ?? ''}` })
      const html = await answer.text()
      const href = `${feed}?lang=${lang}`
      const link = /<link rel="alternate" href="([^"]+)" type="application\/atom\+xml"/.exec(html)
      expect([page, link?.[1]]).toEqual([page, app.url + href])
      expect(html).toContain(`href="${href}">${lang === 'en' ? 'Atom feed' : 'Емисия (Atom)'}</a>`)
      await feedAt(href)
    }
  const searched = await (await get('/lesson/all?search=brew')).text()
  expect(searched).not.toContain('Atom feed')
})
