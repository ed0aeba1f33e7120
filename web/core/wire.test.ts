import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { readError } from '#web/core/api-error.ts'
import { toWire } from '#web/core/wire.ts'

const call = {
  path: '/thing/{id}',
  access: 'user',
  scope: 'read',
  input: z.unknown(),
  answer: null,
  summary: '',
} as const
const { show, edit, buy } = endpoints({
  show: { ...call, methods: ['GET'] },
  edit: { ...call, methods: ['PUT', 'PATCH'], form: true },
  buy: { ...call, methods: ['POST', 'GET'] },
})

test('a GET call puts its input into the URL', () => {
  expect(toWire(show, { id: 'a/b', search: 'x y', page: undefined, sort: '' })).toEqual({
    method: 'GET',
    url: '/api/thing/a%2Fb?search=x+y',
    body: null,
  })
})

test('a JSON call puts the remaining input into the body', () => {
  expect(toWire(buy, { id: 7, note: 'n' })).toEqual({
    method: 'POST',
    url: '/api/thing/7',
    body: '{"note":"n"}',
  })
})

test('a form call repeats list items and leaves out missing values', () => {
  const { body } = toWire(edit, { id: 7, tags: ['a', 'b'], image: undefined, hideEmail: true })
  expect(body instanceof FormData && [...body.entries()]).toEqual([
    ['tags', 'a'],
    ['tags', 'b'],
    ['hideEmail', 'true'],
  ])
})

test('a problem becomes a message and its fields', () => {
  const error = readError(
    400,
    { type: 't', title: 'No', status: 400, errors: { title: ['Too short'] } },
    'bland',
  )
  expect([error.message, error.fields]).toEqual(['No', { title: 'Too short' }])
})

test('the first of several errors gives the message and the key', () => {
  const error = readError(
    409,
    [
      { code: 'a', description: 'First', field: 'x' },
      { code: 'b', description: 'Second' },
    ],
    'bland',
  )
  expect([error.message, error.fields, error.key]).toEqual(['First', { x: 'First' }, 'a'])
})

test('an unreadable error gets a general message', () => {
  for (const body of [null, 'text', [], {}])
    expect(readError(500, body, 'bland').message).toBe('bland')
})
