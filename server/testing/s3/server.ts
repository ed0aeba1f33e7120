/**
 * An S3 server for tests and `npm run cluster`: the package s3rver with the missing parts of multipart uploads,
 * durable writes, and simulated failures.
 */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import S3rver, { type Context } from 's3rver'

/** The simulated failure: 503 for everything, disk full, read-only, or no reply. */
export type S3Mood = 'well' | 'busy' | 'full' | 'read-only' | 'silent'

export interface TestS3 {
  /** For S3_URL. */
  readonly url: string
  readonly bucket: string
  mood: S3Mood
  /** How far its clock is ahead, in ms. */
  clockMs: number
  /** Entries such as `PUT pictures/…`, in order. Very long lists lose the oldest entries. */
  readonly requests: string[]
  /** Ids of multipart uploads that are neither complete nor aborted. */
  unfinished(): Promise<string[]>
  /** Ages the unfinished uploads by two days. */
  age(): Promise<void>
  close(): Promise<void>
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

const BUCKET = 'bazaar'
const MOST_REQUESTS = 20_000
const DAY_MS = 24 * 60 * 60 * 1000
const SKEW_MS = 15 * 60 * 1000

export interface S3Place {
  /** Defaults to the loopback address. */
  readonly address?: string
  /** Defaults to any free port. */
  readonly port?: number
  /** The data folder, which is kept. Defaults to a temporary folder that is removed. */
  readonly directory?: string
}

/** Starts a server with a bucket that contains the files of the given folder. */
export async function startS3(place: S3Place = {}): Promise<TestS3> {
  const { address = '127.0.0.1', port: asked = 0 } = place
  const directory = place.directory ?? (await mkdtemp(join(tmpdir(), 'kb-s3-')))
  const server = new S3rver({
    address,
    port: asked,
    silent: true,
    directory,
    vhostBuckets: false,
    // For requests to bucket.s3.localhost, it takes the bucket from the host name.
    serviceEndpoint: 'localhost',
    configureBuckets: [{ name: BUCKET }],
  })
  const uploads = server.store.getResourcePath(BUCKET, undefined, 'uploads')
  writeWhole(server.store)
  const s3: TestS3 = {
    url: '',
    bucket: BUCKET,
    mood: 'well',
    clockMs: 0,
    requests: [],
    unfinished: () => readdir(uploads).catch(() => []),
    age: async () => {
      const before = new Date(Date.now() - 2 * DAY_MS)
      for (const id of await readdir(uploads))
        await utimes(join(uploads, id, 'key'), before, before)
    },
    close: async () => {
      server.httpServer.closeAllConnections()
      await server.close()
      if (place.directory === undefined) await rm(directory, { recursive: true, force: true })
    },
  }
  server.middleware.unshift(
    (context, next) => answerByMood(s3, context, next),
    (context, next) => answerAboutParts(uploads, context, next),
  )
  const { port } = await server.run()
  return Object.assign(s3, { url: `http://S3RVER:S3RVER@${address}:${port}/${BUCKET}` })
}

async function answerByMood(
  s3: TestS3,
  context: Context,
  next: () => Promise<void>,
): Promise<void> {
  const isVirtual = context.get('host').startsWith(`${BUCKET}.`)
  const key = decodeURIComponent(
    context.path
      .split('/')
      .slice(isVirtual ? 1 : 2)
      .join('/'),
  )
  s3.requests.push(`${context.method} ${key}`)
  if (s3.requests.length > MOST_REQUESTS) s3.requests.splice(0, MOST_REQUESTS / 2)
  const now = Date.now() + s3.clockMs
  context.set('Date', new Date(now).toUTCString())
  const isWrite = !['GET', 'HEAD'].includes(context.method)
  if (s3.mood === 'silent') {
    context.respond = false
    return
  }
  if (s3.mood === 'busy') return refuse(context, 503, 'SlowDown')
  if (s3.mood === 'read-only' && isWrite) return refuse(context, 403, 'AccessDenied')
  if (s3.mood === 'full' && isWrite && context.method !== 'DELETE')
    return refuse(context, 403, 'QuotaExceeded')
  const signed = signedAt(context.get('x-amz-date'))
  if (signed !== null && Math.abs(now - signed) > SKEW_MS)
    return refuse(context, 403, 'RequestTimeTooSkewed')
  // The package would compare the time with the real clock.
  if (signed !== null && s3.clockMs !== 0)
    context.req.headers['x-amz-date'] = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')
  await next()
}

function refuse(context: Context, status: number, code: string): void {
  context.req.resume()
  context.status = status
  context.type = 'application/xml'
  context.body = `<Error><Code>${code}</Code><Message>${code}</Message></Error>`
}

/** Parses times such as 20261122T203000Z. */
function signedAt(date: string): number | null {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date)
  if (parts === null) return null
  const [, year, month, day, hour, minute, second] = parts
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

/** The package can create and complete multipart uploads, but neither list nor abort them. */
async function answerAboutParts(
  uploads: string,
  context: Context,
  next: () => Promise<void>,
): Promise<void> {
  const { method, querystring } = context
  const query = new URLSearchParams(querystring)
  const uploadId = query.get('uploadId')
  if (method === 'GET' && query.has('uploads'))
    return answer(context, await listUploads(uploads, query.get('prefix') ?? ''))
  if (uploadId === null) return next()
  const folder = join(uploads, basename(uploadId))
  if ((await stat(folder).catch(() => null)) === null) return refuse(context, 404, 'NoSuchUpload')
  if (method === 'GET') return answer(context, await listParts(folder))
  if (method !== 'DELETE') return next()
  await rm(folder, { recursive: true })
  context.status = 204
}

function answer(context: Context, xml: string): void {
  context.status = 200
  context.type = 'application/xml'
  context.body = `<?xml version="1.0" encoding="UTF-8"?>${xml}`
}

async function listParts(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => /^\d+$/.test(name))
  const parts = await Promise.all(
    names.map(async (name) => {
      const { size } = await stat(join(folder, name))
      const md5 = await readFile(join(folder, `${name}.md5`), 'utf8')
      return `<Part><PartNumber>${name}</PartNumber><ETag>"${md5}"</ETag><Size>${size}</Size></Part>`
    }),
  )
  return `<ListPartsResult><IsTruncated>false</IsTruncated>${parts.join('')}</ListPartsResult>`
}

async function listUploads(uploads: string, prefix: string): Promise<string> {
  const ids = await readdir(uploads).catch(() => [])
  const found = await Promise.all(
    ids.map(async (id) => {
      const key = await readFile(join(uploads, id, 'key'), 'utf8')
      const { mtime } = await stat(join(uploads, id, 'key'))
      return key.startsWith(prefix)
        ? `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${mtime.toISOString()}</Initiated></Upload>`
        : ''
    }),
  )
  return `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${found.join('')}</ListMultipartUploadsResult>`
}

/** The package responds before the last bytes are on disk, so that an immediate read could miss them. */
function writeWhole(store: S3rver['store']): void {
  const write = async (path: string, content: Buffer | Readable) => {
    await mkdir(dirname(path), { recursive: true })
    const sum = createHash('md5')
    let size = 0
    const temporary = `${path}.${process.hrtime.bigint()}`
    await pipeline(
      Readable.from(content instanceof Readable ? content : [content]),
      async function* note(pieces: AsyncIterable<Buffer>) {
        for await (const piece of pieces) {
          sum.update(piece)
          size += piece.length
          yield piece
        }
      },
      createWriteStream(temporary),
    )
    await rename(temporary, path)
    return { size, md5: sum.digest('hex') }
  }
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const written = await write(store.getResourcePath(bucket, key, 'object'), content)
    await store.putMetadata(bucket, key, metadata, written.md5)
    return written
  }
  store.putPart = async (bucket, uploadId, partNumber, content) => {
    const path = join(store.getResourcePath(bucket, undefined, 'uploads'), uploadId, partNumber)
    const written = await write(path, content)
    await write(`${path}.md5`, Buffer.from(written.md5))
    return written
  }
}
