/**
 * Sends hostile texts to the most common text fields. None may become HTML, SQL or a path. The texts are in xss.json,
 * sql.json and paths.json; fields.test.ts checks for server errors.
 */
import { expect, test } from 'vitest'
import { setRole } from '#server/people/accounts/store.ts'
import { inOrder, readCorpus } from '#server/testing/attacks/corpus.ts'
import { lessonForm } from '#server/testing/app.ts'
import { finishCourse } from '#server/testing/learning/finishing.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'
import { openTestApp } from '#server/testing/setup.ts'

const xss = readCorpus('xss')
const sql = readCorpus('sql')
const paths = readCorpus('paths')

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

test('markup of whoever writes and searches stands as text in the pages that show it', async () => {
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
