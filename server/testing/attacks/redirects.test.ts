/** No address that somebody else wrote may lead a browser off the site. Tests every page as every role. */
import { expect, test } from 'vitest'
import { sendRaw, type Raw } from '#server/testing/http/raw-http.ts'
import { guardsOf, type Scene } from '#server/testing/guards.ts'
import { sample } from '#server/testing/lane.ts'
import { loadRouteTable, loadSourceRenderer } from '#server/testing/pages.ts'
import { openTestApp } from '#server/testing/setup.ts'
import { formOf } from '#server/testing/http/forms.ts'

const HOSTILE = [
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  '/%2e%2e//evil.example',
  '/%2e/\\evil.example',
  'https://evil.example/',
]
const NONE: Scene = {
  lesson: 1,
  course: 1,
  ids: { user: '1', owner: '1', buyer: '1', administrator: '1' },
}

const guards = guardsOf(await loadRouteTable())
const app = await openTestApp({}, await loadSourceRenderer())
const person = await app.signUp('traveller')

const ask = (path: string, headers: Record<string, string> = {}, sent = {}) =>
  sendRaw(app.url, path, headers, sent)

/** Returns the redirect target of an answer, and the links, forms and canonical URL of its page. */
const targetsOf = ({ headers: { location }, bytes }: Raw): string[] => [
  ...(location === undefined ? [] : [location]),
  ...[...bytes.toString().matchAll(/\s(?:href|action)="([^"]*)"/g)].map(
    ([, target = '']) => target,
  ),
]
const leavesSite = (target: string) => new URL(target, app.url).hostname === 'evil.example'

function expectToStay(asked: string, answer: Raw) {
  expect([asked, answer.status < 500]).toEqual([asked, true])
  expect([asked, targetsOf(answer).filter(leavesSite)]).toEqual([asked, []])
}

const roles = () => [{}, { cookie: person.cookie }]

test('no page follows a `next` to another site', async () => {
  for (const [place, guard] of Object.values(guards).entries())
    for (const next of sample([...HOSTILE.slice(place % 4), ...HOSTILE.slice(0, place % 4)]))
      for (const headers of roles()) {
        const address = guard.address(NONE)
        for (const more of [{ next }, { lang: 'en', next }]) {
          const query = new URLSearchParams(more).toString()
          const path = `${address}${address.includes('?') ? '&' : '?'}${query}`
          expectToStay(path, await ask(path, headers))
        }
      }
})

test('no path that begins with two slashes leads to another host', async () => {
  const paths = sample(Object.values(guards).map((guard) => guard.address(NONE)))
  for (const start of [
    '//evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/\\evil.example',
  ])
    for (const path of [...paths, '/?lang=bg', '/', '', '?signed=in'])
      for (const headers of roles()) expectToStay(start + path, await ask(start + path, headers))
})

test('the forms without JavaScript return to their page', async () => {
  const form = formOf({ username: 'traveller', password: person.password })
  const sent = new Request(app.url, { method: 'POST', body: form })
  const headers = { 'content-type': sent.headers.get('content-type') ?? '', origin: app.url }
  const body = await sent.text()
  for (const path of ['/login', '//login', '//evil.example/login', '/LOGIN/'])
    for (const next of HOSTILE) {
      const address = `${path}?${new URLSearchParams({ next }).toString()}`
      const answer = await ask(address, headers, { method: 'POST', body })
      if (path === '/login') expect(answer.status).toBe(303)
      expectToStay(address, answer)
    }
})
