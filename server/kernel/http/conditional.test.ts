import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Person } from '#server/testing/app.ts'
import { getRaw, type Raw } from '#server/testing/http/raw-http.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp()
const owner = await app.signUp('owner')
const reader = await app.signUp('reader')
await app.publishCourse(owner)

const ask = (path: string, headers?: Record<string, string>) =>
  getRaw(`${app.url}/api${path}`, headers)
const tagOf = ({ headers }: Raw) => String(headers['etag'])
const as = ({ session }: Person) => ({ authorization: `Bearer ${session.accessToken}` })
const LISTS = ['/lesson/all', '/course/all', '/identity/allProfiles']
const BOTH = LISTS.flatMap((path) => [path, `${path}?page=1`])

describe.each(BOTH)('%s', (path) => {
  test('is not sent again to a caller that has it', async () => {
    const first = await ask(path)
    expect(tagOf(first)).toMatch(/^W\/"[\w-]{27}"$/)
    expect(first.headers['cache-control']).toBe('private, no-cache')
    const second = await ask(path, { 'if-none-match': `"other", ${tagOf(first)}` })
    expect([second.status, second.bytes.length, tagOf(second)]).toEqual([304, 0, tagOf(first)])
    expect((await ask(path, { 'if-none-match': 'W/"other"' })).status).toBe(200)
  })

  test('differs between guests and signed-in people', async () => {
    const guest = await ask(path)
    const signedIn = await ask(path, { ...as(reader), 'if-none-match': tagOf(guest) })
    expect(signedIn.status).toBe(200)
    expect(tagOf(signedIn)).not.toBe(tagOf(guest))
    expect(signedIn.headers['vary']).toContain('Authorization')
    const again = await ask(path, { ...as(reader), 'if-none-match': tagOf(signedIn) })
    expect(again.status).toBe(304)
    expect((await ask(path, { ...as(owner), 'if-none-match': tagOf(signedIn) })).status).toBe(200)
  })

  test('has the same content in every encoding', async () => {
    const plain = await ask(path)
    const br = await ask(path, { 'accept-encoding': 'gzip, br' })
    const gzip = await ask(path, { 'accept-encoding': 'gzip;q=0.5, br;q=0' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(new Set([plain, br, gzip].map(tagOf)).size).toBe(1)
    for (const { headers } of [plain, br, gzip])
      expect(headers['vary']).toContain('Accept-Encoding')
    const isShort = plain.bytes.length < 1024 && path.includes('?')
    if (isShort) {
      expect(br.bytes).toEqual(plain.bytes)
      return
    }
    expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual([
      'br',
      'gzip',
    ])
    expect(brotliDecompressSync(br.bytes)).toEqual(plain.bytes)
    expect(gunzipSync(gzip.bytes)).toEqual(plain.bytes)
  })
})

test('has no ETag when it is refused', async () => {
  const answer = await ask('/lesson/all?page=none')
  expect([answer.status, answer.headers['etag']]).toEqual([400, undefined])
})
