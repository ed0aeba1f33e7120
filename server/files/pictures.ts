/** Pictures: judged by their content, decoded one at a time, kept only as what we encoded ourselves. */
import { createHash } from 'node:crypto'
import { fileTypeFromBuffer } from 'file-type'
import { sql } from 'kysely'
import sharp, { type Sharp } from 'sharp'
import { PICTURE_WIDTHS } from '#contract/files.ts'
import { PICTURE_BYTES, PICTURE_EXTENSIONS, PICTURE_PIXELS } from '#contract/limits.ts'
import { message } from '#contract/message.ts'
import type { Db, DbOrTx } from '#server/db/connect.ts'
import { pictureKey } from '#server/files/names.ts'
import type { Storage } from '#server/files/storage.ts'
import { createTurns } from '#server/files/turns.ts'
import { invalidField, Refusal, unavailable } from '#server/kernel/errors.ts'

/**
 * Checks and keeps a picture; a `File` is judged by the ending of its name too.
 * @throws Refusal 400 or 413 at the field `image`; 503 when too many wait
 */
export type StorePicture = (
  file: File | Uint8Array,
  ownerId: string | null,
) => Promise<{ pictureId: number }>

export type PictureWidth = (typeof PICTURE_WIDTHS)[number]

/** The address of a picture in one of its widths; `key` is the column `pictures.key`. */
export function pictureUrl(key: string, width: PictureWidth = 640): string {
  return `/files/pictures/${key}/${width}.webp`
}

/** On `p` (pictures): nobody's face, and on no cover. */
const isUnused = sql<boolean>`(
  not exists (select from users u where u.picture_id = p.id)
  and not exists (select from lesson_contents l where l.picture_id = p.id)
  and not exists (select from course_contents c where c.picture_id = p.id)
)`

/** Up to `most` pictures that a person uploaded and nothing shows any more. */
export async function findUnusedPictures(db: Db, ownerId: string, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select p.id from pictures p
    where p.owner_id = ${ownerId} and ${isUnused}
    order by p.id limit ${most}`.execute(db)
  return rows.map((row) => row.id)
}

/**
 * Removes a picture, unless something shows it; its files stay while the same content is somebody else's too. Safe to
 * repeat.
 */
export function removePicture(db: Db, storage: Storage, pictureId: number): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const gone = await tx
      .deleteFrom('pictures as p')
      .where('p.id', '=', pictureId)
      .where(isUnused)
      .returning('p.key')
      .executeTakeFirst()
    if (gone === undefined) return
    const same = await findPicture(tx, gone.key)
    if (same !== undefined) return
    for (const width of PICTURE_WIDTHS) await storage.remove(pictureKey(gone.key, width))
  })
}

const FIELD = 'image'
/** An animated PNG is one too; its first frame counts. */
const KINDS: readonly string[] = ['jpg', 'png', 'apng']
/** Part of the key: raise it when the encoding below changes, because addresses are immutable. */
const ENCODING = 1
/** A strip may be this many times as high as wide; WebP itself ends at 16,383 pixels. */
const TALLEST = 4
/** Seconds; 40 megapixels take about one. The others wait so long at most. */
const LONGEST_DECODE = 20
/** Each may hold PICTURE_BYTES in memory while it waits. */
const MOST_WAITING = 16

// Nothing is decoded twice, so that a cache would only hold memory.
sharp.cache(false)

export function createPictures(db: Db, storage: Storage): StorePicture {
  const inTurn = createTurns(MOST_WAITING, unavailable)
  /** The same content sent at the same moment (a double click) is encoded once. */
  const underWay = new Map<string, Promise<Picture>>()
  const keepOnce = (key: string, bytes: Uint8Array) => {
    const kept =
      underWay.get(key) ??
      inTurn(() => keepPicture(storage, key, bytes)).finally(() => underWay.delete(key))
    underWay.set(key, kept)
    return kept
  }
  return async (file, ownerId) => {
    const bytes = await readPicture(file)
    const key = createHash('sha256').update(`${ENCODING}:`).update(bytes).digest('hex').slice(0, 40)
    const picture = (await findPicture(db, key)) ?? (await keepOnce(key, bytes))
    const { id } = await db
      .insertInto('pictures')
      .values({ owner_id: ownerId, key, ...picture })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { pictureId: id }
  }
}

interface Picture {
  width: number
  height: number
  placeholder: string
}

/** The same content, already encoded and kept. */
async function findPicture(db: DbOrTx, key: string): Promise<Picture | undefined> {
  return db
    .selectFrom('pictures')
    .select(['width', 'height', 'placeholder'])
    .where('key', '=', key)
    .limit(1)
    .executeTakeFirst()
}

async function readPicture(file: File | Uint8Array): Promise<Uint8Array> {
  if (file instanceof File && !hasPictureEnding(file.name))
    throw invalidField(FIELD, 'allowedExtensionsMs')
  const size = file instanceof File ? file.size : file.byteLength
  if (size > PICTURE_BYTES) throw tooManyBytes()
  const bytes = file instanceof File ? new Uint8Array(await file.arrayBuffer()) : file
  const kind = await fileTypeFromBuffer(bytes).catch(() => undefined)
  if (kind === undefined || !KINDS.includes(kind.ext))
    throw invalidField(FIELD, 'pictureUnreadable')
  return bytes
}

function hasPictureEnding(name: string): boolean {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase()
  return PICTURE_EXTENSIONS.some((extension) => extension === ending)
}

function tooManyBytes(): Refusal {
  const values = { megabytes: PICTURE_BYTES / 1024 / 1024 }
  return new Refusal(413, 'pictureTooLarge', {
    values,
    fields: { [FIELD]: message('pictureTooLarge', values) },
  })
}

async function keepPicture(storage: Storage, key: string, bytes: Uint8Array): Promise<Picture> {
  const { picture, encoded } = await readable(() => encodePicture(bytes))
  for (const { width, content } of encoded) await storage.put(pictureKey(key, width), content)
  return picture
}

/** What the library can't read is the person's to know, not a fault of ours. */
async function readable<Value>(decode: () => Promise<Value>): Promise<Value> {
  try {
    return await decode()
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw invalidField(FIELD, 'pictureUnreadable')
  }
}

async function encodePicture(bytes: Uint8Array) {
  // The header alone is read here: a small file may claim gigabytes of pixels.
  const { width, height, autoOrient } = await sharp(bytes, { limitInputPixels: false }).metadata()
  if (width * height > PICTURE_PIXELS) {
    throw invalidField(FIELD, 'pictureTooManyPixels', { megapixels: PICTURE_PIXELS / 1_000_000 })
  }
  const original = sharp(bytes, { limitInputPixels: PICTURE_PIXELS, failOn: 'error' })
    .timeout({ seconds: LONGEST_DECODE })
    .autoOrient()
  const largest = Math.max(...PICTURE_WIDTHS)
  // Decoded once, to the largest; the others come from that. Without a demand for them, metadata is left out.
  const { data, info } = await fit(original, largest)
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const decoded = () =>
    sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
  const encoded: { width: number; content: Uint8Array }[] = []
  for (const each of PICTURE_WIDTHS) {
    encoded.push({
      width: each,
      content: await fit(decoded(), each).webp({ quality: 80 }).toBuffer(),
    })
  }
  const picture: Picture = { ...autoOrient, placeholder: await averageColour(decoded()) }
  return { picture, encoded }
}

function fit(image: Sharp, width: number): Sharp {
  return image.resize({ width, height: width * TALLEST, fit: 'inside', withoutEnlargement: true })
}

/** `#rrggbb`; what is transparent counts as white. */
async function averageColour(image: Sharp): Promise<string> {
  const pixel = await image
    .flatten({ background: '#fff' })
    .resize(1, 1, { fit: 'fill' })
    .toColourspace('srgb')
    .raw()
    .toBuffer()
  return `#${pixel.subarray(0, 3).toString('hex')}`
}
