/**
 * Sends names that every object has and deeply nested data to every address of a running server. None may return
 * 500 or log an error.
 */
import { expect, test } from 'vitest'
import { setRole } from '#server/people/accounts/store.ts'
import { inOrder } from '#server/testing/attacks/corpus.ts'
import { describeCalls } from '#server/testing/attacks/description.ts'
import { sample } from '#server/testing/lane.ts'
import { loadRouteTable, loadSourceRenderer } from '#server/testing/pages.ts'
import { openTestApp } from '#server/testing/setup.ts'

const NAMES = sample([
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
  'length',
  'then',
  'toJSON',
])
/** One of each kind: an accessor, a method, the constructor, and two methods that conversions call. */
const FEW = sample(['__proto__', 'hasOwnProperty', 'constructor', 'valueOf', 'toString'])
const DEPTH = 20_000
/** A polluted prototype would contain this property. */
const MARK = 'pollutedByTheTest'
const POLLUTION = `{"${MARK}":1,"prototype":{"${MARK}":1}}`

const app = await openTestApp({ LOG_LEVEL: 'error' }, await loadSourceRenderer())
const person = await app.signUp('somebody')
await setRole(app.app.database.db, 'somebody', 'administrator')
const calls = (await describeCalls(app)).map(({ method, path, parameters, json, form }) => ({
  method,
  path: `/api${path}`,
  query: parameters.flatMap(({ name, in: place }) => (place === 'query' ? [name] : [])),
  json: json && Object.keys(json),
  form: form && Object.keys(form),
}))
const pages = (await loadRouteTable()).map(([path]) =>
  path === '*' ? '/{none}' : path.replaceAll(/:(\w+)\??/g, '{$1}'),
)

const wrong: unknown[] = []
async function ask(method: string, path: string, more: RequestInit = {}, as = 'bearer') {
  const headers = new Headers(more.headers)
  if (as === 'bearer') headers.set('authorization', `Bearer ${person.session.accessToken}`)
  if (as === 'cookie') headers.set('cookie', `${person.cookie}; ${headers.get('cookie') ?? ''}`)
  const before = app.logged.length
  const answer = await fetch(app.url + path, { ...more, method, headers, redirect: 'manual' })
  await answer.arrayBuffer()
  if (answer.status >= 500 || app.logged.length > before)
    wrong.push([method, path.slice(0, 200), answer.status, ...app.logged.slice(before)])
  return answer.status
}
/** Fails if an answer was wrong or a prototype is polluted. */
function expectNone() {
  expect(wrong.splice(0)).toEqual([])
  expect([{}, [], Object].map((each) => Reflect.get(each, MARK))).toEqual(Array(3).fill(undefined))
}

/** File extensions of these addresses; the default is .json. */
const ENDINGS = new Map([
  ['art', '.svg'],
  ['feeds', '.atom'],
  ['manifest', '.webmanifest'],
  ['share', '.jpg'],
  ['sitemap', '.xml'],
])

const fill = (path: string, value: string) =>
  path.replaceAll(/\{\w*\}|\*/g, () => encodeURIComponent(value))

test('names that every object has are ordinary values in a path', async () => {
  const parts = app.app.addresses().filter((address) => /[{*]/.test(address))
  await inOrder(parts, async (address) => {
    const [method = '', path = ''] = address.split(' ')
    const isCall = path.startsWith('/api/')
    for (const name of isCall ? FEW : NAMES) {
      await ask(method, fill(path, name))
      if (isCall || !path.includes('{file}')) continue
      // Files have extensions, and each part is also attacked separately.
      const ending = ENDINGS.get(path.split('/')[1] ?? '') ?? '.json'
      await ask(method, path.replaceAll('{file}', name + ending).replaceAll(/\{\w+\}/g, name))
    }
  })
  for (const name of NAMES) expect(await ask('GET', `/art/${name}/x.svg`)).toBe(404)
  expectNone()
})

test('and in a query, as a name and as a value', async () => {
  const reads = calls.filter(({ method }) => method === 'GET')
  const known = ['lang', 'sort', 'page', 'show', 'kind', 'q', 'state', 'language', 'next', 'search']
  for (const name of FEW) {
    const pairs = (of: readonly string[]) =>
      new URLSearchParams([
        ...of.map((each) => [each, name]),
        [name, name],
        [`${name}[${MARK}]`, name],
        [`${name}[prototype][${MARK}]`, name],
      ])
    await inOrder(reads, async ({ method, path, query }) => {
      await ask(method, `${fill(path, '1')}?${pairs([...query, ...query]).toString()}`)
    })
    if (name === 'valueOf' || name === 'hasOwnProperty') continue
    await inOrder(pages, async (path) => {
      await ask('GET', `${fill(path, name)}?${pairs(known).toString()}`, {}, 'cookie')
    })
  }
  expectNone()
})

test('and in the fields of a body', async () => {
  const headers = { 'content-type': 'application/json' }
  for (const name of FEW)
    await inOrder(calls, async ({ method, path, json, form }) => {
      const address = fill(path, '1')
      for (const value of [`"${name}"`, `{"toString":1,"valueOf":1}`, `["${name}"]`]) {
        if (json === null) break
        const fields = json.map((field) => `"${field}":${value}`)
        await ask(method, address, { headers, body: `{${fields.join()}}` })
      }
      if (json !== null) await ask(method, address, { headers, body: `{"${name}":${POLLUTION}}` })
      if (form === null) return
      const body = new FormData()
      for (const field of [...form, name]) body.set(field, name)
      for (const field of [...form, name]) body.append(field, new File([name], name))
      await ask(method, address, { body })
    })
  expectNone()
})

test('and in headers', async () => {
  const paths = ['/', '/api/home', '/api/none', '/art/cover/x.svg', '/login']
  await inOrder(NAMES, async (name) => {
    const cookie = `lang=${name}; __Host-lang=${name}; ${name}=${name}; kb=${name}; kb-device=${name}; kb-oidc=${name}`
    const headers = { cookie, 'accept-language': name, 'accept-encoding': name, range: name }
    for (const path of paths) {
      await ask('GET', path, { headers: { ...headers, 'if-none-match': name } }, 'guest')
      await ask('GET', path, { headers: { authorization: `Bearer ${name}` } }, 'guest')
    }
    for (const type of [name, `${name}/${name}`, `application/json; charset=${name}`])
      await ask(
        'POST',
        '/api/identity/login',
        { headers: { 'content-type': type }, body: name },
        'guest',
      )
  })
  expectNone()
})

test('deeply nested data is refused', async () => {
  const lists = '['.repeat(DEPTH) + ']'.repeat(DEPTH)
  const objects = '{"a":'.repeat(DEPTH / 4) + '1' + '}'.repeat(DEPTH / 4)
  const markup = '<b>'.repeat(DEPTH / 4) + 'deep' + '</b>'.repeat(DEPTH / 4)
  const bodied = sample(calls.filter(({ json, form }) => json !== null || form !== null))
  await inOrder(bodied, async ({ method, path, json, form }) => {
    const address = fill(path, '1')
    const headers = { 'content-type': 'application/json' }
    for (const deep of [lists, objects]) {
      for (const field of json === null ? [] : [...json, 'unknown'])
        expect(
          await ask(method, address, { headers, body: `{"${field}":${deep}}` }),
        ).toBeGreaterThan(399)
      if (json !== null) await ask(method, address, { headers, body: deep })
    }
    for (const deep of form === null ? [] : [lists, objects, markup]) {
      const body = new FormData()
      for (const field of form ?? []) body.set(field, deep)
      await ask(method, address, { body })
    }
  })
  for (const path of ['/policy-reports', '/api/none'])
    for (const type of ['application/json', 'application/csp-report', 'application/reports+json'])
      for (const body of [lists, objects])
        await ask('POST', path, { headers: { 'content-type': type }, body }, 'guest')
  expectNone()
})
