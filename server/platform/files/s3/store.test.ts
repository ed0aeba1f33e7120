/** Tests the storage in a bucket against an S3 server. */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { listUnfinished, PART_BYTES } from '#server/platform/files/s3/multipart.ts'
import { openS3Storage } from '#server/platform/files/s3/start.ts'
import { createS3Storage } from '#server/platform/files/s3/store.ts'
import { createLog } from '#server/kernel/log.ts'
import { addressOf, openTestBucket } from '#server/testing/s3/bucket.ts'
import { collect, startS3, type TestS3 } from '#server/testing/s3/server.ts'

const log = createLog('silent')
const s3 = await startS3()
const { bucket, storage } = openTestBucket(s3.url)
beforeEach(() => {
  s3.mood = 'well'
  s3.clockMs = 0
})
afterAll(async () => {
  storage.close()
  await s3.close()
})

const read = async (key: string, range?: { start: number; end: number }) => {
  const found = await storage.open(key, range)
  return found === null ? null : { size: found.size, bytes: await buffer(found.stream) }
}

/** Makes a stream of pieces like those of sockets. */
const streamOf = (bytes: Uint8Array, piece = 65_536) =>
  Readable.from(
    (function* pieces() {
      for (let at = 0; at < bytes.length; at += piece)
        yield Buffer.from(bytes.subarray(at, at + piece))
    })(),
  )

test('a file is read whole and in ranges, and replaced by a later one', async () => {
  await storage.put('pictures/aa/320.webp', Buffer.from('first'))
  await storage.put('pictures/aa/320.webp', Buffer.from('0123456789'))
  expect((await read('pictures/aa/320.webp'))?.bytes.toString()).toBe('0123456789')
  const part = await read('pictures/aa/320.webp', { start: 2, end: 4 })
  expect([part?.size, part?.bytes.toString()]).toEqual([10, '234'])
  expect(await storage.sizeOf('pictures/aa/320.webp')).toBe(10)
  expect(await read('pictures/aa/640.webp')).toBeNull()
  expect(await storage.sizeOf('pictures/aa/640.webp')).toBeNull()
})

test.each([0, 1, PART_BYTES - 1, PART_BYTES, PART_BYTES + 1, 2 * PART_BYTES + 12_345])(
  'a stream of %d bytes is stored whole',
  async (size) => {
    const bytes = randomBytes(size)
    await storage.put('resources/stream', streamOf(bytes))
    expect((await read('resources/stream'))?.bytes.equals(bytes)).toBe(true)
    expect(await s3.unfinished()).toEqual([])
  },
)

test('a stream that fails in the middle leaves nothing, not even parts', async () => {
  const broken = Readable.from(
    (async function* pieces() {
      yield randomBytes(PART_BYTES + 100)
      throw new Error('the sender went away')
    })(),
  )
  await expect(storage.put('resources/broken', broken)).rejects.toThrow('the sender went away')
  expect(await storage.sizeOf('resources/broken')).toBeNull()
  expect(await s3.unfinished()).toEqual([])
})

test('keys are listed by prefix, and removed files are gone', async () => {
  const keys = Array.from({ length: 5 }, (_, place) => `pictures/ab${place}/320.webp`)
  for (const key of [...keys, 'pictures/ac/320.webp']) await storage.put(key, Buffer.from('x'))
  const list = async (prefix: string) => (await collect(storage.list(prefix))).toSorted()
  expect(await list('pictures/ab')).toEqual(keys)
  for (const key of keys) await storage.remove(key)
  await storage.remove('pictures/never/320.webp')
  expect(await list('pictures/ab')).toEqual([])
})

test('what is no key of ours is refused before anything is asked', async () => {
  s3.requests.length = 0
  for (const key of ['../etc/passwd', 'a/../../b', '/a', 'A', ''])
    await expect(async () => storage.sizeOf(key)).rejects.toThrow('no key of the storage')
  expect(s3.requests).toEqual([])
})

describe('a start', () => {
  const start = (change: (url: URL) => void, mood: TestS3['mood'] = 'well') => {
    s3.mood = mood
    const url = new URL(s3.url)
    change(url)
    return openS3Storage(addressOf(url.href), log).then((each) => each.close())
  }

  test.each([
    [
      'a key that is unknown',
      (url: URL) => void (url.username = 'nobody'),
      /^S3_URL: it refuses the keys/,
    ],
    ['a bucket that is not there', (url: URL) => void (url.pathname = '/absent'), /no such bucket/],
  ])('with %s ends with a message', async (_, change, sentence) => {
    await expect(start(change)).rejects.toThrow(sentence)
  })

  test('without the right to write ends with a message that has no key in it', async () => {
    const failed = start(() => {}, 'read-only')
    await expect(failed).rejects.toThrow(/^S3_URL: it denies a right.*read, write and delete/)
    await expect(failed).rejects.not.toThrow(/S3RVER/)
  })

  test.each(['busy', 'full', 'well'] as const)('at a bucket that is %s continues', async (mood) => {
    await start(() => {}, mood)
    s3.mood = 'well'
    expect(await collect(storage.list('unfinished/'))).toEqual([])
  })

  test('without a server continues', async () => {
    await start((url) => void (url.port = '1'))
  })
})

test('a short 503 is retried, a longer one is reported', async () => {
  s3.mood = 'busy'
  setTimeout(() => (s3.mood = 'well'), 50)
  await storage.put('pictures/busy/1.webp', Buffer.from('x'))
  s3.mood = 'busy'
  await expect(storage.put('pictures/busy/1.webp', Buffer.from('y'))).rejects.toMatchObject({
    code: 'S3_AWAY',
  })
  await expect(storage.check()).rejects.toThrow(/^nobody answers there, or only that it is busy/)
  s3.mood = 'well'
  expect((await read('pictures/busy/1.webp'))?.bytes.toString()).toBe('x')
})

test('day-old parts of a crash are dropped', async () => {
  const { CreateMultipartUploadCommand } = await import('@aws-sdk/client-s3')
  const begin = (Key: string) =>
    bucket.run((client) =>
      client.send(new CreateMultipartUploadCommand({ Bucket: s3.bucket, Key })),
    )
  await begin('resources/left')
  await begin('other/left')
  const young = await collect(listUnfinished(bucket, 'resources/'))
  expect(young.map(({ key }) => key)).toEqual(['resources/left'])
  await createS3Storage(bucket).sweep()
  expect(await s3.unfinished()).toHaveLength(2)
  await s3.age()
  await createS3Storage(bucket).sweep()
  expect((await collect(listUnfinished(bucket, ''))).map(({ key }) => key)).toEqual(['other/left'])
})

test('a wrong clock is reported, and links still work for a minute', async () => {
  s3.clockMs = 20 * 60 * 1000
  await storage.put('resources/clock', Buffer.from('x'))
  await expect(storage.check()).rejects.toThrow(/clock is 1[12]\d\d seconds behind/)
  const link = new URL((await storage.link('resources/clock', 'a.txt')) ?? '')
  expect(link.searchParams.get('X-Amz-Expires')).toBe('60')
  const minute = new Date(Date.now() + s3.clockMs).toISOString().slice(0, 13).replaceAll('-', '')
  expect(link.searchParams.get('X-Amz-Date')).toContain(minute)
})
