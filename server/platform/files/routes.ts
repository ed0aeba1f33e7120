/**
 * Files over HTTP: pictures for everybody, resources for people who may see their lesson, and uploads in one
 * request or resumable.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Scope } from '#contract/endpoint.ts'
import { files, PICTURE_FORMATS, PICTURE_WIDTHS } from '#contract/files.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { attachment, resourceKey } from '#server/platform/files/names.ts'
import { createPictureReader, type FindPicture } from '#server/platform/files/picture-reader.ts'
import { hasVersion, parseRange } from '#server/platform/files/ranges.ts'
import { findUpload, type Upload } from '#server/platform/files/resources.ts'
import type { AnswerTus } from '#server/platform/files/resumable.ts'
import type { Storage } from '#server/platform/core/storage.ts'
import { receiveForm } from '#server/platform/files/upload-form.ts'
import { refuseFactorless, refuseScope, type Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { forbidden, notFound, Refusal, unauthorized } from '#server/kernel/errors.ts'
import type { Forms } from '#server/kernel/http/forms.ts'
import { bearerOf } from '#server/kernel/http/http.ts'
import type { Log } from '#server/kernel/log.ts'

export interface FilesNeeds {
  readonly db: Db
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
  readonly forms: Pick<Forms, 'upload'>
  /** Only by the bearer token: changes are never authorised by a cookie. */
  viewerOfBearer(token: string): Promise<Viewer | null>
  /** By the bearer token, or else by the refresh cookie. */
  viewerOf(request: FastifyRequest, scope: Scope | null): Promise<Viewer | null>
  /** With `fetches` it also records the download, after which the lesson can't be returned. */
  maySeeLesson(viewer: Viewer | null, lessonId: number, fetches: boolean): Promise<boolean>
}

interface PictureParams {
  key: string
  file: string
}

interface ResourceParams {
  id: string
}

const UPLOAD = `/api${files.uploadResource.path}`
const PICTURE_KEY = /^[0-9a-f]{40}$/
const PICTURE_FILE = new RegExp(`^(${PICTURE_WIDTHS.join('|')})\\.(${PICTURE_FORMATS.join('|')})$`)
const WEBP = ['webp'] as const
const AVIF_FIRST = ['avif', 'webp'] as const
const FOR_EVER = 'public, max-age=31536000, immutable'
const FOR_A_MINUTE = 'public, max-age=60'
const UPLOAD_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** One handler serves both methods, because the framework's own HEAD would count bytes that it doesn't send. */
const READ: Pick<RouteOptions, 'method' | 'exposeHeadRoute'> = {
  method: ['GET', 'HEAD'],
  exposeHeadRoute: false,
}
const FORM = { config: { form: true }, exposeHeadRoute: false } as const

/**
 * Registers everything below /files and the upload calls. The app provides `@fastify/multipart` and the error
 * handler.
 */
export async function registerFiles(app: FastifyInstance, needs: FilesNeeds): Promise<void> {
  const answerTus = createTusWhenNeeded(needs)
  const findPicture = createPictureReader(needs)
  await app.register(async (scope) => {
    // The library reads the body itself.
    scope.addContentTypeParser('application/offset+octet-stream', (_request, _body, done) =>
      done(null),
    )

    scope.route<{ Params: PictureParams }>({
      ...READ,
      url: '/files/pictures/:key/:file',
      handler: (request, reply) => sendPicture(findPicture, request, reply),
    })
    scope.route<{ Params: ResourceParams }>({
      ...READ,
      url: '/files/resources/:id/*',
      handler: (request, reply) => sendResource(needs, request, reply),
    })
    scope.post(UPLOAD, FORM, async (request, reply) => {
      const viewer = await uploaderOf(request, needs)
      reply.header('cache-control', 'no-store')
      await needs.forms.upload(request, async () => {
        if (request.headers['tus-resumable'] !== undefined) await answerTus(request, reply, viewer)
        else await reply.send(await receiveForm(needs, request, viewer))
      })
    })
    scope.route({
      ...FORM,
      method: ['HEAD', 'PATCH', 'DELETE'],
      url: `${UPLOAD}/:id`,
      handler: async (request, reply) => {
        const viewer = await uploaderOf(request, needs)
        await needs.forms.upload(request, () => answerTus(request, reply, viewer))
      },
    })
  })
}

/** Imported with the first resumable upload: the library is large and would delay the start. */
function createTusWhenNeeded(needs: FilesNeeds): AnswerTus {
  let opening: Promise<AnswerTus> | undefined
  return async (...exchange) => {
    opening ??= import('#server/platform/files/resumable.ts').then(({ createTus }) =>
      createTus(needs),
    )
    const answer = await opening
    await answer(...exchange)
  }
}

/** @throws Refusal 401 without a valid bearer token, 403 for suspended people and for a token without the scope */
async function uploaderOf(request: FastifyRequest, needs: FilesNeeds): Promise<Viewer> {
  const token = bearerOf(request)
  const viewer = token === null ? null : await needs.viewerOfBearer(token)
  if (viewer === null) throw unauthorized()
  refuseScope(viewer, files.uploadResource.scope)
  refuseFactorless(viewer)
  if (viewer.suspended) throw forbidden('suspended')
  return viewer
}

/** Prevents browsers from rendering the file as a page, whatever it contains. */
function setSafeHeaders(reply: FastifyReply): void {
  reply.headers({
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'",
  })
}

/**
 * Until a job has made the AVIF form, its URL returns the WebP form, cached for a minute. So pages can name the
 * AVIF form from the beginning, and no response depends on a request header.
 */
async function sendPicture(
  findPicture: FindPicture,
  request: FastifyRequest<{ Params: PictureParams }>,
  reply: FastifyReply,
): Promise<void> {
  const { key, file } = request.params
  const [, width, format] = PICTURE_FILE.exec(file) ?? []
  if (!PICTURE_KEY.test(key) || width === undefined) throw notFound()
  const form = await findPicture(key, Number(width), format === 'avif' ? AVIF_FIRST : WEBP)
  if (form === null) throw notFound()
  const etag = `"${key}-${width}${form.format === 'avif' ? '-avif' : ''}"`
  setSafeHeaders(reply)
  reply.headers({
    etag,
    'cache-control': form.format === format ? FOR_EVER : FOR_A_MINUTE,
    // Pages of other clients show pictures too.
    'cross-origin-resource-policy': 'cross-origin',
  })
  if (hasVersion(request.headers['if-none-match'], etag)) return void (await reply.code(304).send())
  reply.headers({ 'content-type': `image/${form.format}`, 'content-length': form.size })
  if (request.method === 'HEAD') return void (await reply.send())
  const content = await form.read()
  if (content === null) throw notFound()
  await reply.send(content)
}

async function sendResource(
  needs: FilesNeeds,
  request: FastifyRequest<{ Params: ResourceParams }>,
  reply: FastifyReply,
): Promise<void> {
  const upload = UPLOAD_ID.test(request.params.id)
    ? await findUpload(needs.db, request.params.id)
    : null
  if (upload === null || !upload.finished) throw notFound()
  await refuseStrangers(needs, request, upload)
  const key = resourceKey(upload.id)
  const etag = `"${upload.id}"`
  const ifRange = request.headers['if-range']
  const range =
    ifRange === undefined || ifRange === etag
      ? parseRange(request.headers.range, upload.size)
      : undefined
  if (range === null) {
    reply.header('content-range', `bytes */${upload.size}`)
    throw new Refusal(416, 'badRequest')
  }
  // If the file is shorter than recorded, the download would never end.
  if ((await needs.storage.sizeOf(key)) !== upload.size) throw notFound()
  setSafeHeaders(reply)
  // The caller's right was checked above; the link is for this person and a minute. HEAD is handled here.
  const link = request.method === 'GET' ? await needs.storage.link(key, upload.name) : null
  if (link !== null) {
    reply.headers({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' })
    return void (await reply.redirect(link, 302))
  }
  reply.headers({
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'content-disposition': attachment(upload.name),
    'content-type': 'application/octet-stream',
    'content-length': range === undefined ? upload.size : range.end - range.start + 1,
  })
  if (range !== undefined)
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${upload.size}`)
  if (request.method === 'HEAD') return void (await reply.send())
  const stored = await needs.storage.open(key, range)
  if (stored === null) throw notFound()
  await reply.send(stored.stream)
}

/** While no lesson has it, only its uploader may download it. */
async function refuseStrangers(
  needs: FilesNeeds,
  request: FastifyRequest,
  upload: Upload,
): Promise<void> {
  const viewer = await needs.viewerOf(request, 'read')
  const maySee =
    upload.lessonId === null
      ? viewer?.id === upload.ownerId
      : await needs.maySeeLesson(viewer, upload.lessonId, request.method === 'GET')
  if (!maySee) throw viewer === null ? unauthorized() : forbidden()
}
