/**
 * Tests the same storage with OpenStack Swift, which has its own implementation of signatures, parts and errors.
 */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDiskStorage } from '#server/platform/files/places/disk.ts'
import { moveFiles } from '#server/platform/files/places/move.ts'
import type { Bucket } from '#server/platform/files/s3/bucket.ts'
import { listUnfinished, PART_BYTES } from '#server/platform/files/s3/multipart.ts'
import { openS3Storage } from '#server/platform/files/s3/start.ts'
import type { Storage } from '#server/platform/core/storage.ts'
import { createLog } from '#server/kernel/log.ts'
import { createTestApp, type Person, type TestApp } from '#server/testing/app.ts'
import { addressOf, openTestBucket } from '#server/testing/s3/bucket.ts'
import { collect } from '#server/testing/s3/server.ts'
import { hasSwift, startSwift, type Swift } from '#server/testing/s3/swift.ts'
import { bearer, sendInPieces, sha } from '#server/testing/http/uploads.ts'
import { uploadFile } from '#server/testing/http/forms.ts'

// Swift comes with Debian, so it isn't on every machine that runs the tests.
describe.skipIf(!hasSwift())('with Swift', () => {
  const log = createLog('silent')
  let swift: Swift
  let bucket: Bucket
  let storage: Storage
  let app: TestApp
  let ann: Person
  beforeAll(async () => {
    swift = await startSwift()
    ;({ bucket, storage } = openTestBucket(swift.url))
    app = await createTestApp({ S3_URL: swift.url })
    ann = await app.signUp('ann')
  })
  afterAll(async () => {
    await app?.close()
    storage?.close()
    await swift?.close()
  })

  test.each([0, 1, PART_BYTES, 2 * PART_BYTES + 12_345])(
    '%d bytes are stored, read whole and in ranges, and removed',
    async (size) => {
      const bytes = randomBytes(size)
      await storage.put('resources/stream', Readable.from([Buffer.from(bytes)]))
      const found = await storage.open('resources/stream')
      expect(found?.size).toBe(size)
      expect(found === null ? '' : sha(await buffer(found.stream))).toBe(sha(bytes))
      if (size > 100) {
        const part = await storage.open('resources/stream', { start: 10, end: 99 })
        expect(part?.size).toBe(size)
        expect(part === null ? 0 : (await buffer(part.stream)).length).toBe(90)
      }
      expect(await collect(storage.list('resources/'))).toContain('resources/stream')
      await storage.remove('resources/stream')
      expect(await storage.open('resources/stream')).toBeNull()
      expect(await collect(listUnfinished(bucket, 'resources/'))).toEqual([])
    },
  )

  test('a stream that fails leaves no parts', async () => {
    const broken = Readable.from(
      (async function* pieces() {
        yield randomBytes(PART_BYTES + 100)
        throw new Error('the sender went away')
      })(),
    )
    await expect(storage.put('resources/broken', broken)).rejects.toThrow('the sender went away')
    expect(await collect(listUnfinished(bucket, 'resources/'))).toEqual([])
  })

  test('a start with a wrong secret, key or bucket ends with a message', async () => {
    const start = (change: (url: URL) => void) => {
      const url = new URL(swift.url)
      change(url)
      return openS3Storage(addressOf(url.href), log)
    }
    await expect(start((url) => void (url.password = 'wrong'))).rejects.toThrow(/refuses the keys/)
    await expect(start((url) => void (url.username = 'nobody'))).rejects.toThrow(/^S3_URL: it/)
    await expect(start((url) => void (url.pathname = '/absent'))).rejects.toThrow(/no such bucket/)
  })

  test('a link works for a minute, and only as it was signed', async () => {
    const bytes = randomBytes(200_000)
    const url = await uploadFile(app, ann, 'план 1.pdf', bytes)
    const answer = await fetch(app.url + url, { headers: bearer(ann), redirect: 'manual' })
    const link = new URL(answer.headers.get('location') ?? '')
    const got = await fetch(link)
    expect([got.status, got.headers.get('content-type')]).toEqual([200, 'application/octet-stream'])
    expect(got.headers.get('content-disposition')).toMatch(/^attachment; .*filename\*=UTF-8''/)
    expect(sha(Buffer.from(await got.arrayBuffer()))).toBe(sha(bytes))
    for (const [name, value] of [
      ['response-content-disposition', 'inline'],
      ['response-content-type', 'text/html'],
      ['X-Amz-Expires', '6000'],
    ] as const) {
      const changed = new URL(link)
      changed.searchParams.set(name, value)
      expect((await fetch(changed)).status).toBe(403)
    }
    const unsigned = await fetch(`${link.origin}${link.pathname}`)
    expect([400, 401, 403]).toContain(unsigned.status)
  })

  test('a resumable upload is complete, and an aborted one leaves nothing', async () => {
    const bytes = randomBytes(12_000_000)
    const url = await sendInPieces(app, ann, bytes)
    const got = await fetch(app.url + url, { headers: bearer(ann) })
    expect(sha(Buffer.from(await got.arrayBuffer()))).toBe(sha(bytes))
    const headers = { ...bearer(ann), 'tus-resumable': '1.0.0' }
    const begun = await fetch(`${app.url}/api/upload/resource`, {
      method: 'POST',
      headers: { ...headers, 'upload-length': '9000000' },
    })
    const path = begun.headers.get('location') ?? ''
    const sent = await fetch(app.url + path, {
      method: 'PATCH',
      headers: {
        ...headers,
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      },
      body: new Uint8Array(bytes.subarray(0, 6_000_000)),
    })
    expect(sent.status).toBe(204)
    expect((await fetch(app.url + path, { method: 'DELETE', headers })).status).toBe(204)
    expect(await collect(listUnfinished(bucket, 'resources/'))).toEqual([])
    const left = await collect(storage.list('resources/'))
    expect(left).not.toContain(`resources/${path.split('/').at(-1)}`)
  })

  test('files move from it to a disk and back', async () => {
    const disk = await createDiskStorage(`${app.dataDir}/other`)
    const { db } = app.app.database
    const there = await moveFiles({ db, from: storage, to: disk, remove: true })
    expect([there.copied > 0, there.removed]).toEqual([true, there.copied])
    expect(await collect(storage.list('pictures/'))).toEqual([])
    const back = await moveFiles({ db, from: disk, to: storage, remove: true })
    expect([back.copied, back.removed]).toEqual([there.copied, there.copied])
    expect((await fetch(app.url + ann.session.imageUrl)).status).toBe(200)
  })
})
