/**
 * Sends hostile texts to every text field of the API; no answer may be a server error. The fields come from the
 * API description, so that a new one is tested immediately, or fails here until it has a sample.
 */
import { expect, test } from 'vitest'
import { setRole } from '#server/people/accounts/store.ts'
import { inOrder, readCorpus } from '#server/testing/attacks/corpus.ts'
import { describeCalls, type Schema } from '#server/testing/attacks/description.ts'
import type { Person } from '#server/testing/app.ts'
import { checksOf } from '#server/testing/learning/self-checks.ts'
import { finishCourse } from '#server/testing/learning/finishing.ts'
import { isThorough } from '#server/testing/lane.ts'
import { openTestApp } from '#server/testing/setup.ts'

const TEXTS = ['xss', 'sql', 'unicode', 'lines', 'paths'].flatMap(readCorpus)
/** Each field gets every nth text. The offset differs by field, so that all texts are used. */
const EVERY = isThorough() ? 4 : 8

type Value = string | number | boolean | File | readonly (string | number)[]

interface Field {
  readonly name: string
  readonly place: 'path' | 'query' | 'json' | 'form'
  readonly schema: Schema
}
interface Call {
  readonly method: string
  readonly path: string
  readonly fields: readonly Field[]
}

/** Valid values for the other text fields during an attack. */
const SAMPLES: Readonly<Record<string, string>> = {
  about: 'I bake, and I write about it.',
  answer: 'Thank you',
  article: `<p>${'word '.repeat(60)}</p>`,
  checks: '[]',
  code: '000000',
  description: 'What one learns in it',
  email: `${Buffer.from('owner').toString('hex')}@people.example`,
  emailText: 'A question about what I have read here',
  id: '1',
  invitation: '',
  name: 'Somebody of Sofia',
  newPassword: 'a long enough password',
  opening: '',
  ownerEmail: '',
  password: 'not the password',
  q: 'knot',
  rePassword: 'not the password',
  reason: 'Because it has to be so',
  receiver: 'reader',
  receiverUsername: 'reader',
  resources: '',
  search: 'knot',
  senderEmail: 'somebody@mail.test',
  tag: 'testing',
  tags: 'testing',
  text: 'Words that are enough for whoever counts them',
  title: 'A title',
  token: 'x'.repeat(43),
  topic: 'A question',
  url: 'https://receiver.example/hook',
  username: 'owner',
  video: 'https://www.youtube.com/watch?v=abcdefghijk',
}
/** These calls need the correct password to store anything. Elsewhere a correct password would do too much. */
const PROVEN = ['/identity/tokens', '/identity/update']
/** Calls that the lesson's owner may not make. */
const OF_READERS = /^\/(?:rating\/(?:lesson|course)|certificate|email\/send)/
/** Numbers that are not ids. */
const NUMBERS: Readonly<Record<string, number>> = {
  amount: 5,
  days: 1,
  entry: 1,
  page: 1,
  second: 1,
  stars: 4,
}

/** Existing ids for the parameters at the end of a path. */
const ids = new Map<string, string | number>()

const app = await openTestApp({ WELCOME_POINTS: '5000' })
const [owner, reader, victim] = (await Promise.all(
  ['owner', 'reader', 'victim'].map((name) => app.signUp(name)),
)) as [Person, Person, Person]
await setRole(app.app.database.db, 'owner', 'administrator')
const course = await app.publishCourse(owner)
const lesson = course.lessons[0]?.id ?? 0
await finishCourse(app, reader, course)
const opened = { as: reader, json: { opened: true } }
for (const { id } of course.lessons) await app.call('PUT', `/progress/${id}`, opened)
const made = async (method: string, path: string, as: Person, json: unknown) => {
  const { status, body } = await app.call<{ id: number }>(method, path, { as, json })
  expect([path, status]).toEqual([path, 200])
  return body.id
}
const text = SAMPLES['text'] ?? ''
await checksOf(app, () => owner).publish()
ids.set('/lesson/{id}', lesson)
ids.set('/course/{id}', course.id)
ids.set('/certificate/{courseId}', course.id)
ids.set('/certificate/course/{courseId}', course.id)
ids.set('/rating/course/{id}', course.id)
ids.set('/comment/edit/{id}', await made('POST', `/comment/create/${lesson}`, owner, { text }))
ids.set('/note/{id}', await made('POST', `/note/create/${lesson}`, owner, { text }))
ids.set(
  '/rating/{id}/answer',
  await made('PUT', `/rating/lesson/${lesson}`, reader, { stars: 4, text }),
)
const { rows } = await app.app.database.pool.query<{ id: number }>(
  `insert into passkeys (user_id, credential, cose, counter, transports, synced, name, created_at)
   values ($1, 'c', 'k', 0, '{}', false, 'Mine', now()) returning id`,
  [owner.session._id],
)
ids.set('/identity/passkeys/{id}', rows[0]?.id ?? 0)
const { url, description } = SAMPLES
const hook = { url, description, events: ['lesson.sold'], enabled: true }
const hooked = await app.call<{ endpoint: { id: number } }>('POST', '/admin/webhooks', {
  as: owner,
  json: hook,
})
ids.set('/admin/webhooks/{id}', hooked.body.endpoint.id)
const calls = (await describeCalls(app)).map(({ method, path, parameters, json, form }) => ({
  method,
  path,
  fields: [
    ...parameters.map(({ name, in: place, schema }): Field => ({ name, place, schema })),
    ...Object.entries(form ?? json ?? {}).map(([name, schema]): Field => ({
      name,
      place: form === null ? 'json' : 'form',
      schema,
    })),
  ],
}))

const isType = ({ type }: Schema, name: string) => type === name || type?.includes(name) === true

/** Returns true if the description allows any text. */
function isText(schema: Schema): boolean {
  if (schema.anyOf !== undefined) return schema.anyOf.some(isText)
  if (schema.items !== undefined) return isText(schema.items)
  if (isType(schema, 'boolean')) return false
  const { enum: choice, const: only, pattern, format } = schema
  const isBound = [choice, only, pattern].some((each) => each !== undefined)
  return isType(schema, 'string') && !isBound && (format === undefined || format === 'uri')
}

/** Returns a valid value, or `text` for the attacked field. */
function valueOf({ path, method }: Call, { name, place, schema }: Field): Value | undefined {
  if (name === 'password' && PROVEN.includes(path)) return owner.password
  if (isText(schema)) return SAMPLES[name]
  if (schema.format === 'binary') return new File(['no picture'], 'picture.jpg')
  if (schema.enum !== undefined || schema.const !== undefined)
    return schema.enum?.[0] ?? schema.const
  if (schema.pattern?.startsWith('^[0-9a-f]{8}') === true) return victim.session._id
  if (name === 'lessonId') return lesson
  if (name === 'lessons' && method !== 'GET') return course.lessons.map(({ id }) => id)
  if (name === 'act') return 'act-1'
  if (schema.pattern !== undefined && schema.anyOf === undefined) return '0'.repeat(26)
  // Deletes use an unknown id, because the next text needs the thing again.
  if (place === 'path') return method === 'DELETE' ? 999_999 : (ids.get(path) ?? lesson)
  if (isType(schema, 'boolean')) return true
  if (schema.items?.enum !== undefined) return schema.items.enum.slice(0, 1)
  if (schema.items !== undefined) return [lesson]
  return NUMBERS[name]
}

/** A request with a text in one field, and what fits in the others. */
function send(call: Call, attacked: Field | null, text: string) {
  let address = call.path
  const query = new URLSearchParams()
  const form = new FormData()
  const json: Record<string, unknown> = {}
  for (const field of call.fields) {
    const { name, place } = field
    const value = field === attacked ? text : valueOf(call, field)
    if (value === undefined) continue
    if (place === 'json') json[name] = value
    else if (value instanceof File) {
      // An edit without a picture keeps the current one.
      if (call.method === 'POST') form.set(name, value)
    } else if (place === 'form') for (const word of [value].flat()) form.append(name, String(word))
    else if (place === 'query') query.set(name, String(value).toWellFormed())
    else address = address.replace(`{${name}}`, encodeURIComponent(String(value).toWellFormed()))
  }
  const as = OF_READERS.test(call.path) ? reader : owner
  const at = query.size > 0 ? `${address}?${query.toString()}` : address
  const places = new Set(call.fields.map(({ place }) => place))
  return app.call(call.method, at, {
    as,
    ...(places.has('form') && { form }),
    ...(places.has('json') && { json }),
  })
}

const textsOf = ({ fields }: Call) => fields.filter(({ schema }) => isText(schema))

test('every text field has a sample, and every sample a field', () => {
  const names = new Set(calls.flatMap((call) => textsOf(call).map(({ name }) => name)))
  expect([...names].toSorted()).toEqual(Object.keys(SAMPLES).toSorted())
})

/** Calls that refuse the sample, because it is not a valid proof, picture or file of captions. */
const REFUSED = [
  'POST /caption/{lessonId}/offer',
  'POST /course/create',
  'POST /email/unsubscribe',
  'POST /identity/confirm',
  'POST /identity/email/confirm',
  'POST /identity/email/undo',
  'POST /identity/erase',
  'POST /identity/factors/totp',
  'POST /identity/identities/begin',
  'POST /identity/passkeys',
  'POST /identity/password/change',
  'POST /identity/password/reset',
  'POST /identity/update',
  'POST /lesson/create',
  'PUT /caption/{lessonId}/{language}',
]

test('the samples are accepted, except where a proof or picture is needed', async () => {
  expect([...ids.values()].every((id) => Number(id) > 0)).toBe(true)
  const refused: string[] = []
  for (const call of calls) {
    if (textsOf(call).length === 0) continue
    const { status } = await send(call, null, '')
    if (status === 400) refused.push(`${call.method} ${call.path}`)
  }
  expect(refused.toSorted()).toEqual(REFUSED)
})

test('no text is a fault in any field', { timeout: 300_000 }, async () => {
  const pairs = calls.flatMap((call) => textsOf(call).map((field) => ({ call, field })))
  expect(pairs.length).toBeGreaterThan(90)
  const faults: unknown[] = []
  await inOrder([...pairs.entries()], async ([place, { call, field }]) => {
    for (let at = place % EVERY; at < TEXTS.length; at += EVERY) {
      const text = TEXTS[at] ?? ''
      const { status, body } = await send(call, field, text)
      const says = JSON.stringify(body) ?? ''
      if (status >= 500 || /PostgreSQL|\$argon2|syntax error at|pg_catalog/i.test(says))
        faults.push([call.method, call.path, field.name, text, status, says.slice(0, 200)])
    }
  })
  expect(faults).toEqual([])
})
