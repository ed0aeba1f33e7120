/**
 * Sends hostile texts to the most common text fields. None may become HTML, SQL, a mail header or a path. The
 * texts are in xss.json, sql.json, paths.json and lines.json; fields.test.ts checks for server errors.
 */
import { describe, expect, test } from 'vitest'
import { setRole } from '#server/people/accounts/store.ts'
import { inOrder, readCorpus } from '#server/testing/attacks/corpus.ts'
import { lessonForm, type Person } from '#server/testing/app.ts'
import { finishCourse } from '#server/testing/learning/finishing.ts'
import { settleAll } from '#server/testing/learning/notices.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'
import { openTestApp } from '#server/testing/setup.ts'

const xss = readCorpus('xss')
const sql = readCorpus('sql')
const paths = readCorpus('paths')
const lines = readCorpus('lines')

const app = await openTestApp({ OWNER_EMAIL: 'owner@site.test' }, await loadSourceRenderer())
const [owner, reader] = await Promise.all([app.signUp('owner'), app.signUp('reader')])
const course = await app.publishCourse(owner)
const lesson = course.lessons[0]?.id ?? 0
await finishCourse(app, reader, course)
await app.call('PUT', `/progress/${lesson}`, { as: reader, json: { opened: true } })
await setRole(app.app.database.db, 'reader', 'administrator')

const page = async (path: string, cookie = '') => {
  const answer = await fetch(app.url + path, { headers: { cookie }, redirect: 'manual' })
  return { status: answer.status, html: await answer.text() }
}
/** Removes the page's embedded data, which is escaped in another way. */
const markupOf = (html: string) =>
  html.replaceAll(/<script type="application\/json"[^>]*>[^<]*<\/script>/g, '')
const at = (text: string) => encodeURIComponent(text.toWellFormed())

describe('markup', () => {
  test('of whoever writes and searches stands as text in every page that shows it', async () => {
    const live: unknown[] = []
    await inOrder(xss, async (text) => {
      const long = `${text} and ten signs more`
      const made = await app.call<{ id: number }>('POST', '/lesson/create', {
        as: owner,
        form: await lessonForm({
          title: text.slice(0, 20),
          description: long.slice(0, 60),
          tags: text.slice(0, 30),
        }),
      })
      await app.call('POST', `/comment/create/${lesson}`, { as: owner, json: { text: long } })
      const shown = await Promise.all([
        page(`/lesson/all?search=${at(text)}`),
        page(`/course/all?search=${at(text)}`),
        page(`/no/${at(text)}`),
        page(`/login?next=${at(text)}`),
        page(`/lesson/details/${made.body.id ?? lesson}`, owner.cookie),
        page(`/comment/all?search=${at(text)}`, reader.cookie),
        page(`/search?q=${at(text)}`),
        page(`/tag/${at(text)}`),
      ])
      for (const { status, html } of shown) {
        if (status >= 500) live.push([text, status])
        for (const piece of [text, text.slice(0, 20), text.slice(0, 30)])
          if (/<[a-z!/?]/i.test(piece) && markupOf(html).includes(piece)) live.push([text, piece])
      }
    })
    expect(live).toEqual([])
    const { html } = await page(`/lesson/details/${lesson}`, owner.cookie)
    const { id } = await app.publishLesson(owner)
    const own = (await page(`/lesson/details/${id}`, owner.cookie)).html
    const scripts = (of: string) => [...markupOf(of).matchAll(/<script\b/g)].length
    expect(scripts(html)).toBe(scripts(own))
    expect(markupOf(html)).not.toMatch(/<(?:iframe|object|embed|base|math|marquee|details open)\b/)
    expect(markupOf(html)).not.toMatch(/<[^>]+\son[a-z]+\s*=/)
  })

  test('in private texts, texts for others and moderation is escaped too', async () => {
    const shown = await showEverywhere()
    const wrong = xss.flatMap((text) =>
      [text, text.slice(0, 20)]
        .filter((piece) => /<[a-z!/?]/i.test(piece))
        .flatMap((piece) =>
          shown.filter(({ markup }) => markup.includes(piece)).map(({ path }) => [path, piece]),
        ),
    )
    expect(wrong).toEqual([])
    for (const { path, markup, says } of shown) {
      // The text must appear, escaped.
      expect([path, markup.includes(says)]).toEqual([path, true])
      // Attribute values are not markup.
      const bare = markup.replaceAll(/="[^"]*"/g, '=""')
      expect([path, /<[^>]+\son[a-z]+\s*=/.exec(bare)?.[0]]).toEqual([path, undefined])
      expect(bare).not.toMatch(/<(?:iframe|object|embed|base|math|marquee|details open)\b/)
    }
  })
})

/** Returns the pages that show hostile notes, notices, certificates, ratings, profiles and devices. */
async function showEverywhere() {
  const author = await app.signUp('author')
  const learner = await app.signUp('learner')
  const done = async (as: Person, method: string, path: string, json?: unknown) => {
    const { status, body } = await app.call<{ id: number; code: string }>(method, path, {
      as,
      ...(json !== undefined && { json }),
    })
    expect([path, status < 300]).toEqual([path, true])
    return body
  }
  const image = '<img src=x onerror=alert(1)>'
  const link = '<a href=//evil.example>x</a>'
  const course = await app.publishCourse(author, { title: '<b onclick=a()>Knots' })
  const lessons = course.lessons.map(({ id }) => id)
  const [first = 0] = lessons
  await finishCourse(app, learner, course)
  await app.call('PUT', `/progress/${first}`, { as: learner, json: { opened: true } })
  for (const text of xss)
    await app.call('POST', `/note/create/${first}`, { as: learner, json: { text } })
  await done(learner, 'POST', `/note/create/${first}`, { text: image })
  const { code } = await done(learner, 'POST', `/certificate/${course.id}`, { name: link })
  const { id } = await done(learner, 'PUT', `/rating/lesson/${first}`, { stars: 2, text: image })
  await done(author, 'PUT', `/rating/${id}/answer`, { text: link })
  await done(learner, 'POST', `/comment/create/${first}`, { text: image })
  await done(author, 'POST', '/identity/tokens', {
    name: image,
    scopes: ['read'],
    days: 1,
    password: author.password,
  })
  await app.runJobs()
  await settleAll(app)
  const escaped = (text: string) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const pages: readonly (readonly [path: string, as: Person, says: string])[] = [
    ['/notes', learner, escaped(image)],
    [`/certificate/${code}`, learner, escaped(link)],
    ['/certificate/yours', learner, '&lt;b onclick=a()&gt;'],
    [`/lesson/details/${first}`, learner, escaped(image)],
    ['/notifications', author, '&lt;b onclick=a()&gt;'],
    [`/profile/${author.session._id}?show=courses`, learner, '&lt;b onclick=a()&gt;'],
    [`/profile/${learner.session._id}?show=comments`, author, escaped(image)],
    ['/profile/tokens', author, escaped(image)],
    ['/admin/ratings', reader, escaped(image)],
  ]
  return Promise.all(
    pages.map(async ([path, as, says]) => {
      const { status, html } = await page(path, as.cookie)
      expect([path, status]).toEqual([path, 200])
      return { path, says, markup: markupOf(html) }
    }),
  )
}

test('a statement finds, changes and tells nothing', async () => {
  const count = async () =>
    (await app.app.database.db.selectFrom('users').selectAll().execute()).length
  const before = await count()
  const messages: unknown[] = []
  const letters = sql.filter((text) => /^'|--|SELECT/.test(text))
  await inOrder(letters, async (text) => {
    const { status, body } = await app.call<unknown[]>(
      'GET',
      `/course/all?search=${at(text)}&page=1`,
    )
    if (status !== 200 || body.length > 0) messages.push([text, status])
    if (/PostgreSQL|\$argon2|syntax error|pg_/i.test(JSON.stringify(body)))
      messages.push([text, body])
    const login = await app.call('POST', '/identity/login', {
      json: { username: text, password: text },
    })
    if (login.status !== 401 && login.status !== 400) messages.push([text, login.status])
  })
  expect(messages).toEqual([])
  expect(await count()).toBe(before)
})

test('a path leads to no file but the ones that are served', async () => {
  const found: unknown[] = []
  const places = [
    '/files/pictures/',
    '/files/resources/',
    '/assets/',
    '/art/cover/',
    '/locales/',
    '/share/',
    '/sitemap/',
    '/feeds/',
    '/feeds/author/',
    '/.well-known/',
    '/',
  ]
  await inOrder(paths, async (path) => {
    for (const place of places)
      for (const spelt of [path, at(path)]) {
        const answer = await fetch(app.url + place + spelt, { redirect: 'manual' }).catch(
          () => null,
        )
        if (answer === null) continue
        const text = await answer.text()
        const isPage = text.startsWith('<!doctype html>')
        if (answer.status >= 500 || /root:|\[fonts\]|"dependencies"|\[core\]/.test(text))
          found.push([place + spelt, answer.status])
        // Drawings accept any seed, and a path that normalises to a page returns that page.
        else if (answer.status === 200 && !isPage && place !== '/art/cover/')
          found.push([place + spelt, text.slice(0, 80)])
      }
  })
  expect(found).toEqual([])
})

test('a line break makes no header, neither of a mail nor of an answer', async () => {
  const broken: unknown[] = []
  await inOrder(lines, async (text) => {
    const json = {
      senderEmail: 'guest@people.example',
      topic: text,
      emailText: 'A problem '.repeat(5),
      kind: 'report',
    }
    const topic = await app.call('POST', '/email/send', { json })
    if (topic.status === 202 && /[\r\n\u0085\u2028\u2029\v\0]/.test(text))
      broken.push(['topic', text])
    const sender = await app.call('POST', '/email/send', {
      json: { ...json, topic: 'A problem', senderEmail: text },
    })
    if (sender.status === 202) broken.push(['sender', text])
    for (const path of ['/search?search=', '/lesson/all?lang=bg&search=', '/login?next=']) {
      const { headers } = await fetch(app.url + path + at(text), { redirect: 'manual' })
      if (headers.has('bcc') || [...headers.values()].some((value) => value.includes('a=b')))
        broken.push([path, text])
    }
  })
  expect(broken).toEqual([])
  const mails = await app.app.database.db
    .selectFrom('mails')
    .select(['address', 'subject'])
    .execute()
  for (const { address, subject } of mails) {
    expect(address).not.toMatch(/evil|[\r\n,;<>]/)
    expect(subject).not.toMatch(/[\r\n]/)
  }
})
