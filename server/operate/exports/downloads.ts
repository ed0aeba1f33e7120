import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Scope } from '#contract/endpoint.ts'
import { exports, exportUrl } from '#contract/exports.ts'
import { EXPORTS_AT_ONCE } from '#contract/limits.ts'
import { archiveName } from '#contract/site.ts'
import { showExport } from '#server/operate/exports/exports.ts'
import { findExport } from '#server/operate/exports/store.ts'
import { writeZip } from '#server/operate/exports/zip.ts'
import { attachment, exportKey } from '#server/platform/files/names.ts'
import { parseRange } from '#server/platform/files/ranges.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { notFound, Refusal, unauthorized } from '#server/kernel/errors.ts'
import { Queue } from '#server/kernel/limits/queue.ts'

export interface DownloadNeeds extends Pick<Core, 'db' | 'clock' | 'settings' | 'storage'> {
  /** Uses the bearer token or else the refresh cookie, because a browser's download sends no token. */
  viewerOf(request: FastifyRequest, scope: Scope | null): Promise<Viewer | null>
}

interface Params {
  id: string
}

/** Total timeout of such a download in ms. */
const LONGEST_DIRECT = 15 * 60 * 1000

/** Registers the addresses of archives. They contain no secret and return 404 to everybody but their person. */
export function registerExports(app: FastifyInstance, needs: DownloadNeeds): void {
  const direct = new Queue(EXPORTS_AT_ONCE)
  const read: Pick<RouteOptions, 'method' | 'exposeHeadRoute'> = {
    method: ['GET', 'HEAD'],
    exposeHeadRoute: false,
  }
  app.route({
    ...read,
    url: exportUrl('now'),
    handler: async (request, reply) => {
      const viewer = await viewerOf(needs, request)
      const { state } = await showExport(needs.db, viewer.id, needs.clock.now())
      if (state !== 'direct') throw notFound()
      setHeaders(needs, reply)
      if (request.method === 'HEAD') return reply.send()
      const free = direct.take(viewer.id)
      const { db, storage, settings, clock } = needs
      const zip = writeZip(
        { db, storage, names: settings.current.names, now: clock.now() },
        viewer.id,
      )
      const stream = Readable.from(zip, { objectMode: false })
      const late = setTimeout(() => stream.destroy(new Error('too slow')), LONGEST_DIRECT).unref()
      stream.once('close', () => {
        clearTimeout(late)
        free()
      })
      return reply.send(stream)
    },
  })
  app.route<{ Params: Params }>({
    ...read,
    url: exportUrl(':id'),
    handler: (request, reply) => sendMade(needs, request, reply),
  })
}

/** Refuses access tokens, because the archive contains the whole account. @throws Refusal 401, 403 */
async function viewerOf(needs: DownloadNeeds, request: FastifyRequest): Promise<Viewer> {
  const viewer = await needs.viewerOf(request, exports.ask.scope)
  if (viewer === null) throw unauthorized()
  return viewer
}

function setHeaders({ settings }: DownloadNeeds, reply: FastifyReply): string {
  const name = archiveName(settings.current.names.en.site, 'zip')
  reply.headers({
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'",
    'cache-control': 'private, no-store',
    'content-type': 'application/zip',
    'content-disposition': attachment(name),
  })
  return name
}

/** @throws Refusal 401, 403, 404 for an archive that is not theirs or no longer exists, 416 */
async function sendMade(
  needs: DownloadNeeds,
  request: FastifyRequest<{ Params: Params }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { db, storage, clock } = needs
  const viewer = await viewerOf(needs, request)
  const made = await findExport(db, viewer.id, clock.now())
  if (made?.state !== 'ready' || made.id !== request.params.id) throw notFound()
  const key = exportKey(viewer.id)
  const size = await storage.sizeOf(key)
  if (size !== made.bytes) throw notFound()
  const range = parseRange(request.headers.range, size)
  if (range === null) {
    reply.header('content-range', `bytes */${size}`)
    throw new Refusal(416, 'badRequest')
  }
  const name = setHeaders(needs, reply)
  const link = request.method === 'GET' ? await storage.link(key, name) : null
  if (link !== null) {
    reply.header('referrer-policy', 'no-referrer')
    return reply.redirect(link, 302)
  }
  const length = range === undefined ? size : range.end - range.start + 1
  reply.headers({ 'accept-ranges': 'bytes', 'content-length': length })
  if (range !== undefined)
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
  if (request.method === 'HEAD') return reply.send()
  const stored = await storage.open(key, range)
  if (stored === null) throw notFound()
  return reply.send(stored.stream)
}
