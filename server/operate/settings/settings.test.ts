import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { Problem } from '#contract/errors.ts'
import type { LogEntry } from '#contract/moderation.ts'
import type { settings, SettingName } from '#contract/settings.ts'
import { examineSiteSettings } from '#server/operate/doctor/site-settings.ts'
import { courseForm, lessonForm, testPicture } from '#server/testing/app.ts'
import { done, refusalOf, statusesOf } from '#server/testing/http/answers.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'
import { setUser } from '#server/testing/rows.ts'
import { openTestApp } from '#server/testing/setup.ts'

type Shown = AnswerOf<typeof settings.show>

const app = await openTestApp({ AUTHOR_SHARE: '20', LOG_LEVEL: 'warn' }, await loadSourceRenderer())
/** Without Redis, so it finds changes by looking. */
const far = await openTestApp({}, null, app)
const ann = await app.signUp('ann')
await setUser(app, ann, { role: 'administrator' })

const show = () => done<Shown>(app, ann, 'GET /admin/settings')
const edit = (version: number, texts: Partial<Record<SettingName, string>>) =>
  app.call<Problem & Shown>('PUT', '/admin/settings', { as: ann, json: { version, texts } })
async function save(texts: Partial<Record<SettingName, string>>): Promise<Shown> {
  const { status, body } = await edit((await show()).version, texts)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const stateIn = (shown: Shown, name: SettingName) =>
  shown.settings.find((state) => state.name === name)
const readHome = async (lang = 'en') => (await fetch(`${app.url}/?lang=${lang}`)).text()

test.each<[SettingName, string, string]>([
  ['SITE_NAME', 'x'.repeat(121), 'Use 1 to 120 characters.'],
  ['WELCOME_POINTS', '-1', 'Enter a whole number from 0 to 1000000.'],
  ['DAILY_REWARD_LIMIT', '1e3', 'Enter a whole number from 0 to 10000.'],
  ['LESSON_ON_TRUST', 'yes', 'Choose 1 for yes or 0 for no.'],
  ['SITE_ACCENT', 'green', 'Enter a colour such as #0e5f49.'],
  ['SITE_ACCENT', '#7fd0b0', 'This colour is too pale'],
  ['SITE_ACCENT_DARK', '#0e5f49', 'This colour is too dark'],
  ['SITE_LOGO', 'https://elsewhere.example/logo.webp', 'Use a WebP picture as a data URL'],
  ['AUTHOR_SHARE', '30', 'This is set in the server’s environment'],
])('%s is not changed to %s', async (name, text, sentence) => {
  const before = await show()
  const { status, body } = await edit(before.version, { [name]: text, SITE_TAGLINE: 'Not saved' })
  expect([status, Object.keys(body.errors ?? {})]).toEqual([400, [name]])
  expect(JSON.stringify(body.errors)).toContain(sentence)
  expect(await show()).toEqual(before)
})

test('the environment wins over what is saved, and that over the default', async () => {
  expect(stateIn(await show(), 'WELCOME_POINTS')).toMatchObject({ text: '', source: 'default' })
  const saved = await save({ WELCOME_POINTS: '70' })
  expect(stateIn(saved, 'WELCOME_POINTS')).toMatchObject({ text: '70', source: 'page' })
  expect((await app.signUp('bob')).session.kbPoints).toBe(70)
  expect(stateIn(saved, 'AUTHOR_SHARE')).toMatchObject({ text: '20', source: 'environment' })
  await sql`update site_settings set texts = texts || '{"AUTHOR_SHARE": "40"}', version = version + 1`.execute(
    app.app.database.db,
  )
  await app.app.core.settings.reload()
  expect(app.app.core.settings.current.AUTHOR_SHARE).toBe(20)
  expect(stateIn(await save({ WELCOME_POINTS: '' }), 'WELCOME_POINTS')).toMatchObject({
    text: '',
    source: 'default',
  })
  expect((await app.signUp('eve')).session.kbPoints).toBe(0)
})

test('a change is in cached pages at once, and on another node within 2 s', async () => {
  expect(await readHome()).toContain('Knowledge Bazaar')
  const begun = performance.now()
  await save({ SITE_NAME: 'The Fair', SITE_NAME_BG: 'Панаирът', SITE_ACCENT: '#7A1FA2' })
  const home = await readHome()
  expect(home).toContain('The Fair')
  expect(home).not.toContain('Knowledge Bazaar')
  expect(await readHome('bg')).toContain('Панаирът')
  await expect
    .poll(() => far.app.core.settings.current.names.en.site, { interval: 20 })
    .toBe('The Fair')
  expect(performance.now() - begun).toBeLessThan(2000)
  const sheet = /<link rel="stylesheet" href="(\/accent\/[^"]+)">/.exec(home)?.[1] ?? ''
  expect(sheet).toBe('/accent/7a1fa2-.css')
  const css = await fetch(app.url + sheet)
  expect(css.headers.get('content-type')).toContain('text/css')
  expect(await css.text()).toContain('--brand:light-dark(#7a1fa2,var(--stall-300))')
  for (const path of ['/accent/red-.css', '/accent/7a1fa2.css', '/logo/0123456789abcdef.webp'])
    expect((await fetch(app.url + path)).status).toBe(404)
  await save({ SITE_NAME: '', SITE_NAME_BG: '', SITE_ACCENT: '' })
  expect(await readHome()).not.toContain('/accent/')
})

test('a logo is encoded anew, shown in place of the drawn one, and can be removed', async () => {
  const form = new FormData()
  form.set('version', String((await show()).version))
  form.set('image', new File(['<svg/>'], 'logo.png'))
  const send = () => app.call<Shown>('POST', '/admin/settings/logo', { as: ann, form })
  expect((await send()).status).toBe(400)
  form.set('image', await testPicture())
  const { body } = await send()
  const path = stateIn(body, 'SITE_LOGO')?.text ?? ''
  expect(path).toMatch(/^\/logo\/[\da-f]{16}\.webp$/)
  const logo = await fetch(app.url + path)
  expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect(await readHome()).toContain(`<img src="${path}" alt=""/>`)
  await save({ SITE_LOGO: '' })
  expect(await readHome()).not.toContain('/logo/')
})

test('of two administrators who save at once one is asked to look again, and nothing is lost', async () => {
  const { version } = await show()
  const answers = await Promise.all([
    edit(version, { DAILY_REWARD_LIMIT: '11' }),
    edit(version, { SITE_TAGLINE: 'Learn at the fair' }),
  ])
  expect(statusesOf(answers)).toEqual([200, 409])
  const [limit] = answers
  const saved = await save(
    limit.status === 409 ? { DAILY_REWARD_LIMIT: '11' } : { SITE_TAGLINE: 'Learn at the fair' },
  )
  expect(stateIn(saved, 'DAILY_REWARD_LIMIT')?.text).toBe('11')
  expect(stateIn(saved, 'SITE_TAGLINE')?.text).toBe('Learn at the fair')
})

test('the log has the old and the new text of each changed setting', async () => {
  await save({ WELCOME_POINTS: '5' })
  await save({
    WELCOME_POINTS: '6',
    TITLE_WORDS: 'x'.repeat(300),
    SITE_TAGLINE: 'Learn at the fair',
  })
  const log = await done<LogEntry[]>(app, ann, 'GET /admin/log')
  const lines = log.map(({ action, subjectId, subject }) => [action, subjectId, subject])
  expect(lines.slice(0, 3)).toEqual([
    ['settingChanged', 'TITLE_WORDS', `– → ${'x'.repeat(95)}…`],
    ['settingChanged', 'WELCOME_POINTS', '5 → 6'],
    ['settingChanged', 'WELCOME_POINTS', '– → 5'],
  ])
})

test('titles may not contain forbidden words, but those that do stay', async () => {
  const { id } = await app.publishLesson(ann, { title: 'Casino of words' })
  const { id: course } = await app.publishCourse(ann, { title: 'A course about spam' })
  await save({ TITLE_WORDS: 'casino, free MONEY\nspam,, ' })
  const create = async (title: string) =>
    app.call<Problem>('POST', '/lesson/create', { as: ann, form: await lessonForm({ title }) })
  for (const title of ['A CASINO!', 'Get free  money', 'Spam'])
    expect((await create(title)).status, title).toBe(400)
  for (const title of ['Casinos', 'Free of money', 'Spamming'])
    expect((await create(title)).status, title).toBe(200)
  const change = (fields: Record<string, string>, path = `/lesson/${id}`) => {
    const form = new FormData()
    for (const [name, text] of Object.entries(fields)) form.set(name, text)
    return app.call('PATCH', path, { as: ann, form })
  }
  expect((await change({ title: 'Casino of words', description: 'About words' })).status).toBe(200)
  expect((await change({ title: 'Spam of words' })).status).toBe(400)
  expect((await change({ title: 'More spam' }, `/course/${course}`)).status).toBe(400)
  const form = await courseForm({ title: 'Casino', lessons: [] })
  expect((await app.call('POST', '/course/create', { as: ann, form })).status).toBe(400)
})

test('a saved text that this version does not accept is ignored and reported', async () => {
  const { db } = app.app.database
  await sql`update site_settings set version = version + 1, texts = texts
    || '{"WELCOME_POINTS": "many", "SITE_NAME": 7, "OF_ANOTHER_VERSION": "x"}'`.execute(db)
  await app.app.core.settings.reload()
  expect(app.app.core.settings.current.WELCOME_POINTS).toBe(0)
  expect(app.app.core.settings.current.names.en.site).toBe('Knowledge Bazaar')
  const state = { text: '', source: 'default', rejected: 'many' }
  expect(stateIn(await show(), 'WELCOME_POINTS')).toMatchObject(state)
  expect(await examineSiteSettings(db, { settings: {} })).toMatchObject({
    state: 'note',
    says: expect.stringContaining('SITE_NAME, WELCOME_POINTS') as string,
  })
  expect(app.logged.join('')).toContain('stored settings are not valid in this version')
  expect(stateIn(await save({ WELCOME_POINTS: '9' }), 'WELCOME_POINTS')?.rejected).toBeNull()
  const { texts } = await db.selectFrom('site_settings').selectAll().executeTakeFirstOrThrow()
  expect(texts).toMatchObject({ OF_ANOTHER_VERSION: 'x' })
})

test('an edit of an older version is refused', async () => {
  const { version } = await show()
  expect(refusalOf(await edit(version - 1, { SITE_NAME: 'Late' }))).toBe(
    '409 settingsChangedMeanwhile',
  )
})
