/** Tests pictures from the form to their URLs. */
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { PICTURE_WIDTHS } from '#contract/files.ts'
import { PICTURE_BYTES } from '#contract/limits.ts'
import { createPictures, pictureUrl } from '#server/platform/files/pictures.ts'
import { Refusal } from '#server/kernel/errors.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp()
const { db, storage } = app.app.core
const storePicture = createPictures(db, storage)

const plain = (width: number, height: number, background = '#336699') =>
  sharp({ create: { width, height, channels: 3, background } })

/** Noise doesn't compress. */
async function noise(width: number, height: number): Promise<Buffer> {
  const data = Buffer.alloc(width * height * 3)
  for (let place = 0; place < data.length; place += 1)
    data[place] = (place * 7919 + (place >> 7)) % 251
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer()
}

const fileOf = (name: string, bytes: Uint8Array | string) =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name)

async function refusalOf(file: File | Uint8Array): Promise<Refusal> {
  try {
    await storePicture(file, null)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('the picture was taken')
}

async function keep(file: File | Uint8Array) {
  const { pictureId } = await storePicture(file, null)
  return db.selectFrom('pictures').selectAll().where('id', '=', pictureId).executeTakeFirstOrThrow()
}

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(app.url + path, { method, headers })

async function served(key: string, width: 320 | 640 | 1280): Promise<Buffer> {
  const answer = await get(pictureUrl(key, width))
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

const SCRIPT = Buffer.from('<script>alert(1)</script>')

describe('a file with a false type', () => {
  const gif = () => plain(8, 8).gif().toBuffer()
  const liars: [string, () => Promise<Uint8Array | string>][] = [
    ['gif.png', gif],
    ['drawing.png', async () => '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'],
    ['empty.png', async () => ''],
    [
      'markupAndPicture.jpg',
      async () => Buffer.concat([SCRIPT, await plain(8, 8).jpeg().toBuffer()]),
    ],
    ['start.png', async () => Buffer.from('89504e470d0a1a0a', 'hex')],
    [
      'jpegAndScript.jpg',
      async () =>
        Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.from('*/=1;alert(1)/*'.repeat(20))]),
    ],
  ]
  test.each(liars)('is refused: %s', async (name, make) => {
    const refusal = await refusalOf(fileOf(name, await make()))
    expect(refusal).toMatchObject({
      status: 400,
      key: 'pictureUnreadable',
      fields: { image: 'pictureUnreadable' },
    })
  })

  test('loses in storage what is beside its pixels: behind them, or in a comment', async () => {
    const png = await plain(400, 300).png().toBuffer()
    const jpeg = await plain(400, 300).jpeg().toBuffer()
    const comment = Buffer.from([0xff, 0xfe, 0, SCRIPT.length + 2])
    for (const bytes of [
      Buffer.concat([png, Buffer.from('PK\u0003\u0004'), SCRIPT]),
      Buffer.concat([jpeg.subarray(0, 2), comment, SCRIPT, jpeg.subarray(2)]),
    ]) {
      const { key } = await keep(fileOf('both.png', bytes))
      expect((await served(key, 320)).includes('<script>')).toBe(false)
      expect((await sharp(await served(key, 320)).metadata()).format).toBe('webp')
    }
  })
})

describe('limits', () => {
  test('a file with another extension is refused', async () => {
    const bytes = await plain(8, 8).png().toBuffer()
    for (const name of ['picture.gif', 'picture', 'picture.png.exe', '.png.svg']) {
      expect(await refusalOf(fileOf(name, bytes))).toMatchObject({
        status: 400,
        key: 'allowedExtensionsMs',
      })
    }
  })

  test('8 MB pass and one byte more does not', async () => {
    const bytes = await noise(600, 400)
    const upTo = (size: number) => Buffer.concat([bytes], size)
    expect(await refusalOf(fileOf('large.jpg', upTo(PICTURE_BYTES + 1)))).toMatchObject({
      status: 413,
      key: 'pictureTooLarge',
      fields: { image: 'pictureTooLarge?megabytes=8' },
    })
    expect(await keep(fileOf('large.jpg', upTo(PICTURE_BYTES)))).toMatchObject({ width: 600 })
  })

  test('40 megapixels pass and 41 do not', async () => {
    const many = await plain(8200, 5000).png({ palette: true }).toBuffer()
    expect(await refusalOf(fileOf('many.png', many))).toMatchObject({
      status: 400,
      fields: { image: 'pictureTooManyPixels?megapixels=40' },
    })
    const enough = await plain(8000, 5000).png({ palette: true }).toBuffer()
    expect(await keep(fileOf('enough.png', enough))).toMatchObject({ width: 8000, height: 5000 })
  })

  test('a truncated picture is refused, jpeg or png', async () => {
    const jpeg = await noise(900, 700)
    const png = await sharp(jpeg).png().toBuffer()
    for (const [name, bytes] of Object.entries({ 'cut.jpg': jpeg, 'cut.png': png }))
      expect(await refusalOf(fileOf(name, bytes.subarray(0, bytes.length / 2)))).toMatchObject({
        key: 'pictureUnreadable',
      })
  })
})

describe('a good picture', () => {
  test('is stored in three widths', async () => {
    const { key, width, height, placeholder } = await keep(
      fileOf('Good.JPEG', await plain(1600, 900).jpeg().toBuffer()),
    )
    expect({ width, height }).toEqual({ width: 1600, height: 900 })
    expect(placeholder).toMatch(/^#3[0-9]6[0-9]9[0-9a-f]$/)
    for (const each of PICTURE_WIDTHS) {
      const { format, ...size } = await sharp(await served(key, each)).metadata()
      expect({ format, width: size.width, height: size.height }).toEqual({
        format: 'webp',
        width: each,
        height: Math.round((each * 9) / 16),
      })
    }
  })

  test('is never enlarged, yet has three URLs', async () => {
    const { key } = await keep(await plain(500, 200).png().toBuffer())
    const widths = await Promise.all(
      PICTURE_WIDTHS.map(async (each) => (await sharp(await served(key, each)).metadata()).width),
    )
    expect(widths).toEqual([320, 500, 500])
  })

  test('is upright and does not reveal where it was taken', async () => {
    const bytes = await plain(400, 200)
      .jpeg()
      .withExif({
        IFD0: { Artist: 'Ann', Orientation: '6' },
        IFD3: { GPSLatitude: '51/1 30/1 0/1' },
      })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    expect((await sharp(bytes).metadata()).exif).toBeDefined()
    const picture = await keep(fileOf('turned.jpg', bytes))
    expect(picture).toMatchObject({ width: 200, height: 400 })
    const metadata = await sharp(await served(picture.key, 320)).metadata()
    expect(metadata).toMatchObject({ width: 200, height: 400 })
    expect([
      metadata.exif,
      metadata.icc,
      metadata.xmp,
      metadata.iptc,
      metadata.orientation,
    ]).toEqual(Array(5).fill(undefined))
  })

  test.each([
    ['grey', () => plain(30, 20).greyscale().png().toBuffer()],
    [
      'transparent',
      () =>
        sharp({ create: { width: 30, height: 20, channels: 4, background: '#ff000080' } })
          .png()
          .toBuffer(),
    ],
    ['cmyk', () => plain(30, 20).toColourspace('cmyk').jpeg().toBuffer()],
    ['16 bits', () => plain(30, 20).toColourspace('rgb16').png().toBuffer()],
    ['one pixel', () => plain(1, 1).png().toBuffer()],
    ['a very long strip', () => plain(40_000, 3).png().toBuffer()],
    ['a very high strip', () => plain(3, 40_000).png().toBuffer()],
  ])('may be %s', async (_kind, make) => {
    const { key } = await keep(await make())
    for (const each of PICTURE_WIDTHS)
      expect((await sharp(await served(key, each)).metadata()).format).toBe('webp')
  })

  test('sent many times at once is stored once', async () => {
    const bytes = await plain(1500, 700, '#654321').png().toBuffer()
    const pictures = await Promise.all(Array.from({ length: 40 }, () => keep(bytes)))
    expect(new Set(pictures.map(({ key }) => key)).size).toBe(1)
    expect(new Set(pictures.map(({ id }) => id)).size).toBe(40)
  })
})

describe('an address', () => {
  test('answers 404 for an unknown picture, and for a file that a disk failure emptied', async () => {
    const { key } = await keep(await plain(20, 20).png().toBuffer())
    await truncate(join(app.dataDir, 'files', 'pictures', key, '640.webp'), 0)
    for (const path of [
      pictureUrl(key),
      pictureUrl(key.replaceAll(/[0-9a-f]/g, '0')),
      `/files/pictures/${key}/641.webp`,
      `/files/pictures/${key}/640.png`,
      `/files/pictures/${key.toUpperCase()}x/640.webp`,
      `/files/pictures/${key}`,
    ])
      expect((await get(path)).status, path).toBe(404)
    const { status, headers } = await get(pictureUrl(key), {}, 'HEAD')
    expect([status, headers.get('cache-control')]).toEqual([404, 'no-store'])
    expect((await get(pictureUrl(key, 320))).status).toBe(200)
  })

  test('may be cached forever and validates with 304', async () => {
    const { key } = await keep(await plain(21, 20).png().toBuffer())
    const url = pictureUrl(key)
    const { headers } = await get(url)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'",
      'cross-origin-resource-policy': 'cross-origin',
    })
    const etag = headers.get('etag')
    const again = await get(url, { 'if-none-match': `"other", W/${etag}` })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    const head = await get(url, {}, 'HEAD')
    expect([head.status, head.headers.get('content-length')]).toEqual([
      200,
      headers.get('content-length'),
    ])
  })
})
