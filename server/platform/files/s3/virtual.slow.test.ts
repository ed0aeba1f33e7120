/** With `style=virtual` the bucket is a part of the host name, in requests and in links. */
import { randomBytes } from 'node:crypto'
import dns from 'node:dns'
import { afterAll, expect, test, vi } from 'vitest'
import { readConfig } from '#server/kernel/config.ts'
import { openTestBucket } from '#server/testing/s3/bucket.ts'
import { collect, startS3 } from '#server/testing/s3/server.ts'
import { closeAtEnd, openTestApp } from '#server/testing/setup.ts'
import { bearer, sendInPieces, sha } from '#server/testing/http/uploads.ts'

const HOST = 's3.localhost'

/** Not every machine resolves names below localhost to itself. */
function knowLocalNames(): void {
  const lookup = dns.lookup.bind(dns)
  vi.spyOn(dns, 'lookup').mockImplementation(((name: string, ...more: [never, never]) =>
    lookup(name.endsWith('.localhost') ? '127.0.0.1' : name, ...more)) as typeof dns.lookup)
}

knowLocalNames()
afterAll(() => void vi.restoreAllMocks())
const s3 = closeAtEnd(await startS3())
const url = `${s3.url.replace('127.0.0.1', HOST)}?style=virtual`
const app = await openTestApp({ S3_URL: url })
const ann = await app.signUp('ann')

test.each([
  'http://K:S@127.0.0.1:9000/bazaar',
  'http://K:S@[::1]/bazaar',
  'https://K:S@a.b/My.files',
])('a bucket that cannot be part of a host name is refused: %s', (url) => {
  const start = () => readConfig({ S3_URL: `${url}?style=virtual` })
  expect(start).toThrow(/^S3_URL is "…": has style=virtual, which needs a host with a name/)
  expect(readConfig({ S3_URL: `${url}?style=path` }).S3_URL).toBeDefined()
})

test('a picture and a resumable upload are in the bucket, and come from it', async () => {
  const bytes = randomBytes(11_000_000)
  const url = await sendInPieces(app, ann, bytes)
  const byPath = openTestBucket(s3.url)
  const keys = await collect(byPath.storage.list('resources/'))
  expect(keys).toEqual([`resources/${url.split('/')[3]}`])
  byPath.close()
  expect(await s3.unfinished()).toEqual([])
  expect((await fetch(app.url + ann.session.imageUrl)).status).toBe(200)
  const answer = await fetch(app.url + url, { headers: bearer(ann), redirect: 'manual' })
  const link = new URL(answer.headers.get('location') ?? '')
  expect([link.hostname, link.pathname]).toEqual([
    `${s3.bucket}.${HOST}`,
    `/resources/${url.split('/')[3]}`,
  ])
  const file = await fetch(link)
  expect(sha(Buffer.from(await file.arrayBuffer()))).toBe(sha(bytes))
})
