/**
 * Every path and query parameter must refuse values outside its schema and name itself in the error. The
 * parameters come from the API description, so that other tests need not repeat this.
 */
import { expect, test } from 'vitest'
import type { FormError, Problem } from '#contract/errors.ts'
import { setRole } from '#server/people/accounts/store.ts'
import {
  describeCalls,
  type DescribedCall,
  type Schema,
} from '#server/testing/attacks/description.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp()
const admin = await app.signUp('admin')
await setRole(app.app.database.db, 'admin', 'administrator')
const calls = await describeCalls(app)

const NUMBERS = ['word', '-1', '1.5', '0x10', '1e1', '99999999999999999999', '9007199254740992']
/** Invalid values for the named schemas. */
const REFUSED_BY_NAME: Readonly<Record<string, readonly string[]>> = {
  Id: [...NUMBERS, '0'],
  Page: [...NUMBERS, '0'],
  Cursor: NUMBERS,
}

function refusedBy(schema: Schema): readonly string[] {
  const name = schema.$ref?.split('/').at(-1)
  if (name !== undefined) return REFUSED_BY_NAME[name] ?? []
  if (schema.type === 'array') return NUMBERS
  if ([schema.enum, schema.const, schema.pattern].some((each) => each !== undefined))
    return ['no such value', '4', '-1']
  return schema.maxLength === undefined ? [] : ['x'.repeat(schema.maxLength + 1)]
}

/** Returns a path value that the schema allows. */
function allowedBy({ $ref, pattern, enum: choice }: Schema): string {
  if (choice !== undefined) return String(choice[0])
  if ($ref !== undefined) return '999999'
  if (pattern === undefined) return 'admin'
  if (pattern.includes('reward')) return 'act-999999'
  return pattern.includes('{26}') ? '0'.repeat(26) : '00000000-0000-4000-8000-000000000000'
}

function send({ method, path, parameters, form }: DescribedCall, wrong: string, value: string) {
  const query = new URLSearchParams()
  let address = path
  for (const { name, in: place, schema } of parameters) {
    const given = name === wrong ? value : allowedBy(schema)
    if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(given))
    else if (name === wrong) query.set(name, given)
  }
  return app.call<Problem | FormError[]>(method, `${address}?${query.toString()}`, {
    as: admin,
    ...(form !== null ? { form: formOf({ none: '' }) } : method !== 'GET' && { json: {} }),
  })
}

/** Returns the fields named in an error. */
const fieldsOf = (answer: Problem | FormError[]) =>
  Array.isArray(answer) ? answer.map(({ field }) => field) : Object.keys(answer.errors ?? {})

test('each parameter refuses what is wrong at its field', async () => {
  const taken: unknown[] = []
  let tried = 0
  for (const call of calls)
    for (const { name, schema } of call.parameters)
      for (const value of refusedBy(schema)) {
        tried += 1
        const answer = await send(call, name, value)
        if (
          answer.status !== 400 ||
          !fieldsOf(answer.body).some((field) => field?.startsWith(name))
        )
          taken.push([call.method, call.path, name, value.slice(0, 30), answer.status, answer.body])
      }
  expect(taken).toEqual([])
  expect(tried).toBeGreaterThan(900)
})

/** An empty list of lessons is invalid, and a video and a draft must be named. */
const NEED_VALUES = ['/draft/{key}', '/lesson/video', '/progress']

test('errors only name invalid fields', async () => {
  const refused: unknown[] = []
  for (const call of calls) {
    const { body: answer } = await send(call, '', '')
    const names = call.parameters.map(({ name }) => name)
    const wrong = fieldsOf(answer).filter((field) => names.includes(field ?? ''))
    if (wrong.length > 0 && !NEED_VALUES.includes(call.path))
      refused.push([call.method, call.path, wrong])
  }
  expect(refused).toEqual([])
})
