/** Resumable uploads by tus 1.0: the library implements the protocol, and our rows record whose upload it is. */
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Server, Upload as TusUpload } from '@tus/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { files } from '#contract/files.ts'
import { RESOURCE_BYTES } from '#contract/limits.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { resourceUrl } from '#server/platform/files/names.ts'
import {
  dropUpload,
  fileTooLarge,
  findUpload,
  finishUpload,
  reserveUpload,
  toUploadedResource,
  type Upload,
} from '#server/platform/files/resources.ts'
import type { Storage } from '#server/platform/core/storage.ts'
import { createUploadLocks } from '#server/platform/files/upload-locks.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { conflict, forbidden, invalidField, notFound, Refusal } from '#server/kernel/errors.ts'
import type { Log } from '#server/kernel/log.ts'

/** Handles a tus request of a person who may upload. @throws Refusal */
export type AnswerTus = (
  request: FastifyRequest,
  reply: FastifyReply,
  viewer: Viewer,
) => Promise<void>

export interface TusNeeds {
  readonly db: Db
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
}

/** In ms; a slower remainder of a body isn't awaited. */
const LEFT_OVER_MS = 5000
const PATH = `/api${files.uploadResource.path}`
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Headers that the protocol needs. The library's open CORS headers must not be sent. */
const PASSED_ON = [
  'location',
  'tus-resumable',
  'tus-version',
  'upload-offset',
  'upload-length',
  'upload-metadata',
  'cache-control',
]

/** State of one request inside the library, which has no parameter for a thrown error or for the viewer. */
interface Exchange {
  readonly viewer: Viewer
  failure?: unknown
}

/** The library implements the protocol; our code checks rows and rights around each step. */
export async function createTus({ db, storage, clock, log }: TusNeeds): Promise<AnswerTus> {
  const exchanges = new WeakMap<Request, Exchange>()
  const records = {
    get: async (id: string) => {
      const upload = await findUpload(db, id)
      return upload === null ? undefined : toTusUpload(upload)
    },
    // The reservation writes the row before the file.
    set: async () => {},
    delete: async (id: string) => {
      if (!(await dropUpload(db, id))) throw conflict()
    },
  }
  const server = new Server({
    path: PATH,
    relativeLocation: true,
    datastore: await storage.resumable(records),
    locker: createUploadLocks(db, log),
    maxSize: RESOURCE_BYTES,
    namingFunction: async (request, metadata) => {
      const exchange = exchanges.get(request)
      if (exchange === undefined) throw new Error('an upload without a person')
      const size = Number(request.headers.get('upload-length'))
      const name = metadata?.['filename'] ?? metadata?.['name'] ?? ''
      return (await reserveUpload(db, clock, { ownerId: exchange.viewer.id, name, size })).id
    },
    onResponseError: (request, error) => {
      const exchange = exchanges.get(request)
      if (exchange !== undefined) exchange.failure = error
      return undefined
    },
  })

  return async (request, reply, viewer) => {
    refuseExtensions(request)
    const id = idOf(request)
    const before = id === null ? null : await findOwn(db, id, viewer)
    const webRequest = toWebRequest(request, reply, id)
    const exchange: Exchange = { viewer }
    exchanges.set(webRequest, exchange)
    const response = await server.handleWeb(webRequest)
    if (response.status >= 400) {
      await readToEnd(request.raw)
      throw toRefusal(exchange.failure, response.status)
    }
    for (const name of PASSED_ON) {
      const value = response.headers.get(name)
      if (value !== null) reply.header(name, value)
    }
    reply.code(response.status)
    const made = response.headers.get('location')?.split('/').at(-1) ?? ''
    const upload = before ?? (made === '' ? null : await findUpload(db, made))
    const isComplete =
      upload !== null && Number(response.headers.get('upload-offset')) === upload.size
    if (!isComplete) return void (await reply.send())
    // Also finishes on HEAD: the response to the last piece may have been lost, or the process killed.
    await finishUpload(db, clock, upload)
    reply.header('x-resource-url', resourceUrl(upload))
    await (request.method === 'HEAD'
      ? reply.send()
      : reply
          .code(response.status === 204 ? 200 : response.status)
          .send(toUploadedResource(upload)))
  }
}

function toTusUpload(upload: Upload): TusUpload {
  return new TusUpload({
    id: upload.id,
    size: upload.size,
    offset: 0,
    metadata: { filename: upload.name },
    creation_date: upload.createdAt.toISOString(),
  })
}

/** Extensions that aren't supported: concatenation and deferred length. */
const NOT_OFFERED = ['upload-concat', 'upload-defer-length']

/** Uses status 400, because clients retry 500 and 501. @throws Refusal */
function refuseExtensions({ headers }: FastifyRequest): void {
  if (NOT_OFFERED.some((name) => headers[name] !== undefined))
    throw invalidField('file', 'uploadKindUnknown')
}

/** Returns null for the creating POST. @throws Refusal 404 for a malformed id */
function idOf(request: FastifyRequest): string | null {
  const { params } = request
  if (typeof params !== 'object' || params === null || !('id' in params)) return null
  const id = String(params.id).toLowerCase()
  if (!ID.test(id)) throw notFound()
  return id
}

/** @throws Refusal 404 for an unknown upload, 403 for somebody else's */
async function findOwn(db: Db, id: string, viewer: Viewer): Promise<Upload> {
  const upload = await findUpload(db, id)
  if (upload === null) throw notFound()
  if (upload.ownerId !== viewer.id) throw forbidden()
  return upload
}

/**
 * Converts to the library's request type. By `runtime` the library notices that the client has disconnected, and
 * stores what arrived.
 */
function toWebRequest(request: FastifyRequest, reply: FastifyReply, id: string | null): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const hasBody = request.method === 'PATCH' || request.method === 'POST'
  const webRequest = new Request(`http://upload${PATH}${id === null ? '' : `/${id}`}`, {
    method: request.method,
    headers,
    ...(hasBody && {
      body: ReadableStream.from(request.raw.iterator({ destroyOnReturn: false })),
      duplex: 'half',
    }),
  })
  return Object.assign(webRequest, {
    runtime: { name: 'node', node: { req: request.raw, res: reply.raw } },
  })
}

/**
 * Discards the rest of the body: the client reads the response only after sending it, and a connection with unread
 * data would be closed under the next request.
 */
async function readToEnd(request: IncomingMessage): Promise<void> {
  if (request.complete) return
  const late = sleep(LEFT_OVER_MS, undefined, { ref: false })
  await Promise.race([drop(request).catch(() => undefined), late])
}

/** Doesn't use resume(), because the library's iterator is still active and would prevent it from working. */
async function drop(request: IncomingMessage): Promise<void> {
  const pieces = request.iterator({ destroyOnReturn: false })
  while ((await pieces.next()).done !== true);
}

/** Converts the library's plain objects and errors to refusals by their status. */
function toRefusal(failure: unknown, status: number): unknown {
  if (failure instanceof Refusal) return failure
  if (status === 413) return fileTooLarge()
  if (status === 404 || status === 410) return notFound()
  if (status === 409) return conflict()
  return status < 500 ? new Refusal(status === 412 ? 412 : 400, 'badRequest') : failure
}
