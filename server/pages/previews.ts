/** Pictures for link previews: many readers of Open Graph take neither WebP nor SVG, so they get JPEG. */
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import sharp from 'sharp'
import { cover } from '#contract/art.ts'
import { pictureKey } from '#server/files/names.ts'
import type { Storage } from '#server/files/storage.ts'
import { createTurns } from '#server/files/turns.ts'
import { notFound, unavailable } from '#server/kernel/errors.ts'

export interface PreviewNeeds {
  readonly storage: Storage
  /** Of every answer that is no page. */
  readonly headers: Readonly<Record<string, string>>
}

/** The size that Open Graph readers show large. */
const SIZE = { width: 1200, height: 630 }
/** The width that a preview is made from. */
const SOURCE = 1280
const MOST_WAITING = 16
const PICTURE = /^([0-9a-f]{40})\.jpg$/
const COVER = /^cover-([\w-]{1,60})\.jpg$/
const FOR_EVER = 'public, max-age=31536000, immutable'

export function registerPreviews(app: FastifyInstance, { storage, headers }: PreviewNeeds): void {
  const inTurn = createTurns(MOST_WAITING, unavailable)

  /** Encoded at the first demand, then kept beside the picture. */
  async function readPreview(key: string): Promise<Uint8Array> {
    const kept = await storage.open(previewKey(key))
    if (kept !== null) return buffer(kept.stream)
    const source = await storage.open(pictureKey(key, SOURCE))
    if (source === null) throw notFound()
    const bytes = await buffer(source.stream)
    const preview = await inTurn(() => encode(bytes))
    await storage.put(previewKey(key), preview)
    return preview
  }

  app.get<{ Params: { file: string } }>('/share/:file', async (request, reply) => {
    const { file } = request.params
    const key = PICTURE.exec(file)?.[1]
    const seed = COVER.exec(file)?.[1]
    if (key === undefined && seed === undefined) throw notFound()
    const preview =
      key === undefined
        ? await inTurn(() => encode(Buffer.from(cover(seed ?? ''))))
        : await readPreview(key)
    return reply
      .headers({
        ...headers,
        'cache-control': FOR_EVER,
        'cross-origin-resource-policy': 'cross-origin',
      })
      .type('image/jpeg')
      .send(preview)
  })
}

const previewKey = (key: string) => `pictures/${key}/share.jpg`

function encode(bytes: Uint8Array): Promise<Uint8Array> {
  return sharp(bytes)
    .resize({ ...SIZE, fit: 'cover' })
    .flatten({ background: '#fff' })
    .jpeg({ quality: 80, mozjpeg: true })
    .toBuffer()
}
