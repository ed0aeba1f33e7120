/** Pictures for link previews as JPEG, because many readers of Open Graph accept neither WebP nor SVG. */
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { avatar, cover } from '#contract/art.ts'
import { certificateArt } from '#server/items/certificates/art.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { decode } from '#server/platform/files/decoding.ts'
import { pictureFolder, pictureKey } from '#server/platform/files/names.ts'
import { storeDerived } from '#server/platform/files/picture-life.ts'
import type { Storage } from '#server/platform/core/storage.ts'
import { notFound } from '#server/kernel/errors.ts'
import { networkOf } from '#server/kernel/network.ts'
import type { Loads } from '#server/kernel/limits/loads.ts'

export interface PreviewNeeds {
  readonly db: Db
  readonly storage: Storage
  readonly loads: Pick<Loads, 'preview' | 'previews'>
  /** Headers of every response that isn't a page. */
  readonly headers: Readonly<Record<string, string>>
}

/** The width from which a preview is made. */
const SOURCE = 1280
const NAME = 'share.jpg'
const PICTURE = /^([0-9a-f]{40})\.jpg$/
/** Pictures generated from a word. */
const DRAWINGS = new Map([
  ['cover', (seed: string) => cover(seed)],
  ['certificate', certificateArt],
  ['avatar', avatar],
])
const DRAWN = /^(cover|certificate|avatar)-([\w-]{1,60})\.jpg$/
const FOR_EVER = 'public, max-age=31536000, immutable'

/** Other sites show these pictures next to links to ours. */
export function registerPreviews(
  app: FastifyInstance,
  { db, storage, loads, headers }: PreviewNeeds,
): void {
  /** Encodes at the first request and stores the result with the picture, so that both are removed together. */
  async function readPreview(key: string, asker: string): Promise<Uint8Array> {
    const size = await storage.sizeOf(pictureKey(key, SOURCE))
    if (size === null || size === 0) throw notFound()
    const stored = await read(`${pictureFolder(key)}${NAME}`)
    if (stored.length > 0) return stored
    const preview = await encode(asker, async () => {
      const source = await read(pictureKey(key, SOURCE))
      if (source.length === 0) throw notFound()
      return source
    })
    // The picture was removed while the preview was made.
    if (!(await storeDerived(db, storage, key, [{ name: NAME, content: preview }])))
      throw notFound()
    return preview
  }

  /** Previews take turns, so that they never fill the queue in which uploads wait. @throws Refusal 503 */
  const encode = (asker: string, source: () => Promise<Uint8Array>) =>
    loads.preview.run(asker, () => decode('preview', source, 'previews'))

  /** Returns no bytes when there is no such file. */
  async function read(file: string): Promise<Uint8Array> {
    const found = await storage.open(file)
    return found === null ? new Uint8Array() : buffer(found.stream)
  }

  app.get<{ Params: { file: string } }>('/share/:file', async (request, reply) => {
    const asker = networkOf(request.ip)
    loads.previews.count(asker)
    const { file } = request.params
    const key = PICTURE.exec(file)?.[1]
    const [, art = '', seed = ''] = DRAWN.exec(file) ?? []
    const draw = DRAWINGS.get(art)
    if (key !== undefined) return send(reply, await readPreview(key, asker))
    if (draw === undefined) throw notFound()
    return send(reply, await encode(asker, async () => Buffer.from(draw(seed))))
  })

  const send = (reply: FastifyReply, preview: Uint8Array) =>
    reply
      .headers({
        ...headers,
        'cache-control': FOR_EVER,
        'cross-origin-resource-policy': 'cross-origin',
      })
      .type('image/jpeg')
      .send(preview)
}
