/** Uploads in pieces by tus 1.0: the library speaks the protocol, our rows know whose upload it is. */
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Server, Upload as TusUpload } from '@tus/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { files } from '#contract/files.ts'
import { RESOURCE_BYTES } from '#contract/limits.ts'
import type { Db } from '#server/db/connect.ts'
import { resourceUrl } from '#server/files/names.ts'
import {
  dropUpload,
  fileTooLarge,
  findUpload,
  finishUpload,
  reserveUpload,
  toUploadedResource,
  type Upload,
} from '#server/files/resources.ts'
import type { Storage } from '#server/files/storage.ts'
import { createUploadLocks } from '#server/files/upload-locks.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { conflict, forbidden, invalidField, notFound, Refusal } from '#server/kernel/errors.ts'
import type { Log } from '#server/kernel/log.ts'

/** Answers one tus request of a person who may upload. @throws Refusal */
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

/** A slower remainder is not waited for. */
const LEFT_OVER_MS = 5000
const PATH = `/api${files.uploadResource.path}`
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** What the protocol needs; the library's open CORS headers are not ours to give. */
const PASSED_ON = [
  'location',
  'tus-resumable',
  'tus-version',
  'upload-offset',
  'upload-length',
  'upload-metadata',
  'cache-control',
]

/** One request on its way through the library, which gives no place for a thrown error or for who is asking. */
interface Exchange {
  readonly viewer: Viewer
  failure?: unknown
}

/**
 * Answers tus requests: the library speaks the protocol, while rows and rights are checked by our own code around
 * each step.
 */
export async function createTus({ db, storage, clock, log }: TusNeeds): Promise<AnswerTus> {
  const exchanges = new WeakMap<Request, Exchange>()
  const records = {
    get: async (id: string) => {
      const upload = await findUpload(db, id)
      return upload === null ? undefined : toTusUpload(upload)
    },
    // The row is written before the file, by the reservation.
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
    // Also on HEAD: the answer to the last piece may have been lost, or the process with it.
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

/** Parts of the protocol that are not offered: uploads joined from several, and those of unknown length. */
const NOT_OFFERED = ['upload-concat', 'upload-defer-length']

/** A status of 400, because clients of the protocol try a 500 or 501 again and again. @throws Refusal */
function refuseExtensions({ headers }: FastifyRequest): void {
  if (NOT_OFFERED.some((name) => headers[name] !== undefined))
    throw invalidField('file', 'uploadKindUnknown')
}

/** Null for the creating POST. @throws Refusal 404 for what is no id */
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

/** The library's kind of request; by `runtime` it learns that the client has gone, and stores what had come. */
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
 * Lets go of what is still sent: who sends reads the answer only after it, and a connection on which something is left
 * unread would be cut under the next request.
 */
async function readToEnd(request: IncomingMessage): Promise<void> {
  if (request.complete) return
  const late = sleep(LEFT_OVER_MS, undefined, { ref: false })
  await Promise.race([drop(request).catch(() => undefined), late])
}

/** Not by resume(): the library's way of reading, which is not over yet, would keep that from working. */
async function drop(request: IncomingMessage): Promise<void> {
  const pieces = request.iterator({ destroyOnReturn: false })
  while ((await pieces.next()).done !== true);
}

/** The library throws plain objects and errors of its own; by status they are ours. */
function toRefusal(failure: unknown, status: number): unknown {
  if (failure instanceof Refusal) return failure
  if (status === 413) return fileTooLarge()
  if (status === 404 || status === 410) return notFound()
  if (status === 409) return conflict()
  return status < 500 ? new Refusal(status === 412 ? 412 : 400, 'badRequest') : failure
}
