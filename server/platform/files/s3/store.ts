/** Stores files in an S3 bucket under the same keys as on a disk. */
import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { attachment } from '#server/platform/files/names.ts'
import { ANSWER_MS, type Bucket } from '#server/platform/files/s3/bucket.ts'
import { S3Failure, toFailure } from '#server/platform/files/s3/failure.ts'
import { abort, listUnfinished, putBytes, putStream } from '#server/platform/files/s3/multipart.ts'
import {
  listKeys,
  lookAt,
  orNull,
  removeCompanions,
  removeObject,
  removeUnfinished,
} from '#server/platform/files/s3/objects.ts'
import {
  hashOfStream,
  requireKey,
  requirePrefix,
  type ByteRange,
  type StoredFile,
  type Storage,
} from '#server/platform/core/storage.ts'
import { PartAway } from '#server/kernel/process/health.ts'

/** Seconds that a link to a resource is valid: enough to follow it, too short to pass it on. */
const LINK_SECONDS = 60
/** In ms. */
const SWEEP_MS = 60 * 60 * 1000
const LEFT_OVER_MS = 25 * 60 * 60 * 1000
/** In ms; clients that ask for the state of the product wait less than a second. */
const CHECK_MS = 700
/** In ms: how far a clock may be off while links of a minute still work. */
const CLOCK_MS = 30_000
/** Bytes; about as much as a picture takes. */
const TRIAL = Buffer.alloc(256 * 1024)
const TYPES: Readonly<Record<string, string>> = {
  webp: 'image/webp',
  avif: 'image/avif',
  jpg: 'image/jpeg',
}

/** Makes no request before it is used. */
export function createS3Storage(bucket: Bucket): Storage {
  const { address } = bucket
  const signer = new S3Client({ ...bucket.config, endpoint: address.publicEndpoint })
  // Remembers that the bucket was full until a write succeeds, because nothing else would show it.
  let isFull = false
  let swept = -Infinity
  const writing = async (write: () => Promise<void>) => {
    try {
      await write()
      isFull = false
    } catch (error) {
      isFull ||= error instanceof S3Failure && error.trouble === 'full'
      throw error
    }
  }

  const storage: Storage = {
    place: 'files-s3',
    put: (key, content, sha256) => {
      requireKey(key)
      const type = TYPES[key.split('.')[1] ?? ''] ?? 'application/octet-stream'
      return writing(() =>
        content instanceof Uint8Array
          ? putBytes(bucket, key, content, { type, sha256: sha256 ?? hash(content) })
          : putStream(bucket, key, content, { type, sha256 }),
      )
    },
    open: (key, range) => openObject(bucket, key, range),
    remove: async (key) => {
      requireKey(key)
      if (key.startsWith('resources/')) await removeUnfinished(bucket, key)
      await removeObject(bucket, key)
    },
    sizeOf: async (key) => {
      requireKey(key)
      return (await lookAt(bucket, key))?.size ?? null
    },
    hashOf: async (key) => {
      requireKey(key)
      const found = await lookAt(bucket, key)
      if (found === null || found.sha256 !== undefined) return found?.sha256 ?? null
      const stored = await storage.open(key)
      return stored === null ? null : hashOfStream(stored.stream)
    },
    list: (prefix) => {
      requirePrefix(prefix)
      return listKeys(bucket, prefix)
    },
    link: async (key, name) =>
      address.downloads === 'through' ? null : linkTo(bucket, signer, key, name),
    check: async () => {
      try {
        await bucket.look(AbortSignal.timeout(CHECK_MS))
        if (isFull) await tryWriting(bucket)
        isFull = false
      } catch (error) {
        throw new PartAway(toFailure(error).sentence)
      }
      const minutes = sentenceOfClock(bucket)
      if (minutes !== null) throw new PartAway(minutes)
    },
    sweep: async () => {
      const now = performance.now()
      if (now - swept < SWEEP_MS) return
      swept = now
      await abortLeftOvers(bucket, new Date(Date.now() - LEFT_OVER_MS))
    },
    resumable: async (records) => {
      const { ResumableBucket } = await import('#server/platform/files/s3/resumable.ts')
      return new ResumableBucket(bucket, storage, records)
    },
    close: () => {
      signer.destroy()
      bucket.close()
    },
  }
  return storage
}

/** Returns a sentence if the clocks differ by too much, or null, also before the first response. */
export function sentenceOfClock(bucket: Bucket): string | null {
  const offset = bucket.clockOffset() ?? 0
  if (Math.abs(offset) <= CLOCK_MS) return null
  const seconds = Math.round(Math.abs(offset) / 1000)
  const way = offset > 0 ? 'behind' : 'ahead of'
  return `this machine's clock is ${seconds} seconds ${way} that of the server of S3_URL. Set it (NTP).`
}

/** Stores a file and removes it again. @throws S3Failure */
async function tryWriting(bucket: Bucket): Promise<void> {
  const key = `unfinished/${randomUUID()}`
  await putBytes(bucket, key, TRIAL, { type: 'application/octet-stream' })
  await removeObject(bucket, key)
}

const hash = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

/** Drops the parts of writes that a crash interrupted before this time. */
async function abortLeftOvers(bucket: Bucket, before: Date): Promise<void> {
  for (const prefix of ['pictures/', 'resources/', 'exports/']) {
    for await (const upload of listUnfinished(bucket, prefix)) {
      if (upload.begun >= before) continue
      await abort(bucket, upload)
      await removeCompanions(bucket, upload.key)
    }
  }
}

/** An error before anybody listens must not end the process; the reader gets it all the same. */
function guarded(stream: Readable): Readable {
  return stream.on('error', () => undefined)
}

/** Returns null if the object doesn't exist. */
async function openObject(
  bucket: Bucket,
  key: string,
  range?: ByteRange,
): Promise<StoredFile | null> {
  requireKey(key)
  const part = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` }
  const found = await orNull(
    bucket.run((client) =>
      client.send(new GetObjectCommand({ Bucket: bucket.name, Key: key, ...part }), {
        requestTimeout: ANSWER_MS,
      }),
    ),
  )
  if (found === null) return null
  if (!(found.Body instanceof Readable)) throw new Error('S3 answered without a body')
  const whole = /\/(\d+)$/.exec(found.ContentRange ?? '')?.[1]
  return { stream: guarded(found.Body), size: Number(whole ?? found.ContentLength ?? 0) }
}

/** Uses the server's time if ours is off, so that the link isn't valid too early or too late. */
function linkTo(bucket: Bucket, signer: S3Client, key: string, name: string): Promise<string> {
  requireKey(key)
  const offset = bucket.clockOffset() ?? 0
  const now = Date.now() + (Math.abs(offset) > CLOCK_MS ? offset : 0)
  const command = new GetObjectCommand({
    Bucket: bucket.name,
    Key: key,
    ResponseContentType: 'application/octet-stream',
    ResponseContentDisposition: attachment(name),
    ResponseCacheControl: 'private, no-store',
  })
  return getSignedUrl(signer, command, {
    expiresIn: LINK_SECONDS,
    signingDate: new Date(now),
  })
}
