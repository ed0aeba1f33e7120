/** Tests that account forms work without scripts and with password managers. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formOf } from '#server/testing/http/forms.ts'
import { newestLink } from '#server/testing/links.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'
import { setUser } from '#server/testing/rows.ts'
import { openTestApp } from '#server/testing/setup.ts'

const site = await openTestApp({ LESSON_ON_TRUST: '1' }, await loadSourceRenderer())
const ann = await site.signUp('ann')

function post(path: string, fields: Record<string, string>, headers: Record<string, string>) {
  const body = formOf(fields)
  return fetch(site.url + path, { method: 'POST', body, headers, redirect: 'manual' })
}

test('a form of a foreign page signs nobody in', async () => {
  const right = { username: 'ann', password: ann.password }
  const foreign: Record<string, string>[] = [
    {},
    { origin: 'https://evil.example' },
    { referer: 'https://evil.example/x' },
    { origin: 'null', referer: `${site.url}/login` },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  ]
  for (const headers of foreign) {
    const answer = await post('/login', right, headers)
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []])
  }
})

test('errors are shown on the page, with the values but without the password', async () => {
  const origin = { origin: site.url, 'accept-language': 'en' }
  const wrong = await post('/login', { username: 'a<b', password: 'not-hers-x' }, origin)
  const html = await wrong.text()
  expect([wrong.status, wrong.headers.getSetCookie()]).toEqual([401, []])
  expect(wrong.headers.get('content-type')).toContain('text/html')
  expect(html).toContain('role="alert"')
  expect(html).toContain('value="a&lt;b"')
  expect(html).not.toContain('not-hers-x')
  const fields = {
    username: 'ann',
    email: 'new@people.example',
    password: 'short',
    rePassword: 'x',
  }
  const short = await post('/register?lang=bg', fields, origin)
  const page = await short.text()
  expect(short.status).toBe(400)
  expect(page).toContain('<html lang="bg"')
  expect(page).toContain('value="new@people.example"')
  expect(page.match(/aria-invalid="true"/g)?.length).toBeGreaterThanOrEqual(2)
  // Without scripts the button is enabled.
  expect(page).not.toMatch(/<button[^>]*type="submit"[^>]*disabled/)
})

test('the right password leads on, signed in by the cookie', async () => {
  const headers = { referer: `${site.url}/login` }
  const answer = await post(
    '/login?next=%2Fpoints',
    { username: 'ann', password: ann.password },
    headers,
  )
  expect(answer.status).toBe(303)
  const [cookie = ''] = answer.headers.getSetCookie()
  const back = await fetch(site.url + (answer.headers.get('location') ?? ''), {
    headers: { cookie: cookie.split(';')[0] ?? '' },
    redirect: 'manual',
  })
  expect([back.status, back.headers.get('location')]).toEqual([302, '/points'])
  // Browsers that refuse cookies get an explanation.
  const unkept = await fetch(site.url + (answer.headers.get('location') ?? ''))
  expect(await unkept.text()).toContain('didn’t keep the cookie')
})

test('a request for a reset names nobody in its response', async () => {
  const origin = { origin: site.url, 'accept-language': 'en' }
  const wrong = await post('/password/forgot', { email: 'a<b' }, origin)
  expect(wrong.status).toBe(400)
  expect(await wrong.text()).toContain('value="a&lt;b"')
  const known = await post('/password/forgot', { email: ann.session.email }, origin)
  const unknown = await post('/password/forgot', { email: 'nobody@people.example' }, origin)
  const next = known.headers.get('location') ?? ''
  expect([known.status, next]).toEqual([303, '/password/forgot?sent=yes'])
  expect(unknown.headers.get('location')).toBe(next)
  const page = await fetch(site.url + next, { headers: { 'accept-language': 'en' } })
  expect(await page.text()).toContain('Check your e-mail')
})

test('a new password is set by the mailed link, which works once', async () => {
  const ben = await site.signUp('ben')
  const origin = { origin: site.url, 'accept-language': 'en' }
  await post('/password/forgot', { email: ben.session.email }, origin)
  await site.runJobs()
  const token = await newestLink(site, ben, 'reset')
  const address = `/password/reset?token=${token}&lang=en`
  const page = await (await fetch(site.url + address)).text()
  expect(page).toContain(`name="token" value="${token}"`)
  const short = await post(address, { token, password: 'short' }, origin)
  const refused = await short.text()
  expect([short.status, refused.includes('aria-invalid="true"')]).toEqual([400, true])
  expect(refused).not.toContain('value="short"')
  // Browsers send these from a page with the policy no-referrer.
  const hidden = { origin: 'null', 'sec-fetch-site': 'same-origin' }
  const done = await post(address, { token, password: 'a-new-password' }, hidden)
  expect([done.status, done.headers.get('location')]).toEqual([303, '/login?reset=done&lang=en'])
  const login = await fetch(`${site.url}/login?reset=done`, { headers: origin })
  expect(await login.text()).toContain('Your password is changed')
  const again = await post(address, { token, password: 'a-newer-password' }, origin)
  expect([again.status, (await again.text()).includes('/password/forgot')]).toEqual([400, true])
})

test('a report and a letter are sent, the letter only by its signed-in writer', async () => {
  const origin = { origin: site.url, 'accept-language': 'en' }
  const words = {
    senderEmail: 'guest@people.example',
    topic: 'The video is silent',
    emailText: 'Lesson 1 has no sound in my browser, whatever I press.',
  }
  const short = await post('/report', { ...words, kind: 'report', emailText: 'x' }, origin)
  const page = await short.text()
  expect([short.status, page.includes('value="The video is silent"')]).toEqual([400, true])
  const sent = await post('/report', { ...words, kind: 'report' }, origin)
  expect([sent.status, sent.headers.get('location')]).toEqual([303, '/report?sent=yes'])
  const thanks = await fetch(`${site.url}/report?sent=yes`, { headers: origin })
  expect(await thanks.text()).toContain('We’ve got your report')

  const { id: lesson } = await site.publishLesson(ann)
  const letter = { ...words, kind: 'contact', lessonId: String(lesson) }
  const address = `/lesson/contact/${lesson}`
  const guest = await post(address, letter, origin)
  expect(guest.headers.get('location')).toContain('/login?next=')
  const eve = await site.signUp('eve')
  const signedIn = { ...origin, cookie: eve.cookie }
  const posted = await post(address, letter, signedIn)
  expect([posted.status, posted.headers.get('location')]).toEqual([303, `${address}?sent=yes`])
  const read = await fetch(`${site.url}${address}?sent=yes`, { headers: signedIn })
  expect(await read.text()).toContain('We’ve got your e-mail to ann')
})

test('a newcomer unlocks a lesson on trust with the form of its page', async () => {
  const { id } = await site.publishLesson(ann)
  const newcomer = await site.signUp('newcomer')
  const address = `/lesson/details/${id}`
  const headers = { cookie: newcomer.cookie, origin: site.url, 'accept-language': 'en' }
  const refused = await post(`${address}?trust=yes`, {}, headers)
  expect([refused.status, await refused.text()]).toEqual([
    409,
    expect.stringContaining('Please confirm your e-mail address first.'),
  ])
  await setUser(site, newcomer, { email_confirmed_at: new Date() })
  const page = await (await fetch(site.url + address, { headers })).text()
  expect(page).toMatch(new RegExp(`<form[^>]* action="${address}\\?trust=yes"`))
  const answer = await post(`${address}?trust=yes`, {}, headers)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, address])
  const opened = await (await fetch(site.url + address, { headers })).text()
  expect(opened).not.toContain('trust=yes')
})

test('the language of the URL stays through the sign-in, whatever the cookie says', async () => {
  const english = 'lang=en'
  const sent = await fetch(`${site.url}/points?show=in&lang=bg`, {
    headers: { cookie: english },
    redirect: 'manual',
  })
  const gate = sent.headers.get('location') ?? ''
  expect(gate).toBe('/login?next=%2Fpoints%3Fshow%3Din%26lang%3Dbg&lang=bg')
  const page = await fetch(site.url + gate, { headers: { cookie: english } })
  const html = await page.text()
  expect(html).toContain('<html lang="bg"')
  // The link to the registration keeps it too.
  expect(html).toContain('/register?next=%2Fpoints%3Fshow%3Din%26lang%3Dbg&amp;lang=bg')
  const headers = { origin: site.url, cookie: english }
  const wrong = await post(gate, { username: 'ann', password: 'not-hers-x' }, headers)
  expect(await wrong.text()).toContain('<html lang="bg"')
  const right = await post(gate, { username: 'ann', password: ann.password }, headers)
  const [cookie = ''] = right.headers.getSetCookie()
  const led = await fetch(site.url + (right.headers.get('location') ?? ''), {
    headers: { cookie: `${english}; ${cookie.split(';')[0] ?? ''}` },
    redirect: 'manual',
  })
  expect(led.headers.get('location')).toBe('/points?show=in&lang=bg')
})

/** Returns type and autocomplete of the text fields of a page. */
async function fieldsOf(path: string): Promise<string[]> {
  const answer = await fetch(site.url + path)
  expect(answer.status).toBe(200)
  const main = /<main[^]*<\/main>/.exec(await answer.text())?.[0] ?? ''
  return [...main.matchAll(/<input [^>]*>/g)]
    .map(([input]) => input)
    .filter((input) => /type="(?:text|email|password)"|autoComplete=|autocomplete=/i.test(input))
    .map((input) => {
      expect(input).not.toMatch(/ onpaste=| readonly| autocomplete="off"/i)
      const [, type = 'text'] = / type="(\w+)"/.exec(input) ?? []
      const [, fills = 'nothing'] = / autocomplete="([^"]*)"/i.exec(input) ?? []
      return `${type}: ${fills}`
    })
}

test.each([
  ['/login', 'text: username', 'password: current-password'],
  [
    '/register',
    'text: username',
    'email: email',
    ...Array<string>(2).fill('password: new-password'),
  ],
  ['/password/forgot', 'email: email'],
])('%s says what fills its fields', async (path, ...fields) => {
  expect(await fieldsOf(path)).toEqual(fields)
})

test('only the picture field handles paste events, and takes only files', () => {
  const hearing = readdirSync('web', { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .filter((path) =>
      /onPaste|['"]paste['"]|['"]beforeinput['"]/i.test(readFileSync(`web/${path}`, 'utf8')),
    )
  expect(hearing).toEqual(['ui/inputs/PictureField.tsx'])
  expect(readFileSync('web/ui/inputs/PictureField.tsx', 'utf8')).toContain(
    'file === undefined) return\n',
  )
})

test('no password field turns autofill off', () => {
  const fields = readdirSync('web', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.tsx'))
    .flatMap((path) =>
      [
        ...readFileSync(`web/${path}`, 'utf8').matchAll(
          /<PasswordInput\b[^]*?\/>|<\w+(?:(?!\/>)[^])*? type="password"[^]*?\/>/g,
        ),
      ].map(([field]) => `${path}: ${/autoComplete="([\w-]+)"/.exec(field)?.[1] ?? 'nothing'}`),
    )
  expect(fields.length).toBeGreaterThan(2)
  expect(fields.filter((field) => !/: (?:current|new)-password$/.test(field))).toEqual([])
})

test('a lesson that earns nothing is announced on the form, and published when it is posted again', async () => {
  const { id, article } = await site.publishLesson(ann, { title: 'The original' })
  const fay = await site.signUp('fay')
  const headers = { origin: site.url, cookie: fay.cookie }
  const fields = {
    title: 'The copy',
    description: 'What one learns in it',
    video: 'https://youtu.be/plainplainp',
    tags: 'testing',
    cover: 'drawn',
    article: article.replaceAll(/<[^>]*>/g, ''),
  }
  const announced = await post('/lesson/create?lang=bg', fields, headers)
  const html = await announced.text()
  expect(announced.status).toBe(200)
  expect(html).toContain('Без награда: почти същата статия вече има в друг урок')
  expect(html).toContain(`href="/lesson/details/${id}"`)
  expect(html).toContain('value="The copy"')
  const told = /name="announced" value="([^"]*)"/.exec(html)?.[1] ?? ''
  const published = await post('/lesson/create', { ...fields, announced: told }, headers)
  expect(published.status).toBe(303)
})
