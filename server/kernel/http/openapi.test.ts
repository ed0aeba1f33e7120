import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { WEBHOOK_EVENTS } from '#contract/webhooks.ts'
import { openTestApp } from '#server/testing/setup.ts'

interface Operation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, unknown>>
  readonly description: string
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, unknown>>
}

const app = await openTestApp()
const text = await (await fetch(`${app.url}/api/openapi.json`)).text()
const document = JSON.parse(text) as Document

test('a linter finds nothing in it', async () => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      // The tests run on localhost.
      'no-server-example.com': 'off',
      // An id is a number, so `/rating/lesson/{id}` and `/rating/{id}/answer` don't clash.
      'no-ambiguous-paths': 'off',
    },
  })
  const problems = await lintFromString({ source: text, config })
  const found = problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`,
  )
  expect(found).toEqual([])
})

test('every operation has an id of its own and a description', () => {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  const ids = operations.map(({ operationId }) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(operations.filter(({ description }) => description.length < 10)).toEqual([])
})

test('every operation names every status that a call may return', () => {
  for (const item of Object.values(document.paths))
    for (const { responses } of Object.values(item))
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '413', '415', '500']))
})

test('every event has its webhook', () => {
  expect(Object.keys(document.webhooks).toSorted()).toEqual(WEBHOOK_EVENTS.toSorted())
})

test('it has an ETag and is compressed', async () => {
  const address = `${app.url}/api/openapi.json`
  const first = await fetch(address, { headers: { 'accept-encoding': 'br' } })
  expect([first.headers.get('content-encoding'), await first.text()]).toEqual(['br', text])
  const tag = first.headers.get('etag') ?? ''
  const again = await fetch(address, { headers: { 'if-none-match': tag } })
  expect([again.status, await again.text()]).toEqual([304, ''])
})
