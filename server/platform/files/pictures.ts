/**
 * Pictures are checked by their content and stored only as what we encoded ourselves. Equal content shares its
 * files.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { PICTURE_WIDTHS } from '#contract/files.ts'
import {
  PICTURE_BYTES,
  PICTURE_EXTENSIONS,
  PICTURE_PIXELS,
  PICTURE_QUOTA_BYTES,
} from '#contract/limits.ts'
import { message } from '#contract/message.ts'
import type { Db, DbOrTx } from '#server/platform/db/connect.ts'
import { lockIn } from '#server/platform/db/locks.ts'
import { decode, DecodingError, TOO_MANY_PIXELS } from '#server/platform/files/decoding.ts'
import { pictureKey } from '#server/platform/files/names.ts'
import type { Encoded } from '#server/platform/files/picture-encoding.ts'
import { hasForms, lockKey, lookAtPicture } from '#server/platform/files/picture-life.ts'
import type { Storage } from '#server/platform/core/storage.ts'
import type { StorePicture } from '#server/platform/core/core.ts'
import { invalidField, Refusal } from '#server/kernel/errors.ts'

export type PictureWidth = (typeof PICTURE_WIDTHS)[number]

/** `key` is the column `pictures.key`. */
export function pictureUrl(key: string, width: PictureWidth = 640): string {
  return `/files/pictures/${key}/${width}.webp`
}

const FIELD = 'image'
/** An animated PNG is allowed too; only its first frame is used. */
const KINDS: readonly string[] = ['jpg', 'png', 'apng']
/** Bytes that suffice to detect the type. */
const HEAD = 4100
/** Part of the key: raise it when the encoding changes, because URLs are immutable. */
const ENCODING = 1

export function createPictures(db: Db, storage: Storage): StorePicture {
  /** Content that is sent twice at the same time (a double click) is encoded once. */
  const underWay = new Map<string, Promise<Encoded>>()
  const encodeOnce = (key: string, file: Blob, ownerId: string | null) => {
    const asker = ownerId ?? 'newcomers'
    const encoding =
      underWay.get(key) ??
      encode(file, asker).finally(() => setImmediate(() => underWay.delete(key)))
    underWay.set(key, encoding)
    return encoding
  }
  return async (file, ownerId) => {
    const given = file instanceof Uint8Array ? new Blob([new Uint8Array(file)]) : file
    const key = await validate(given)
    const known = await findForms(db, storage, key)
    const encoded = known === null ? await encodeOnce(key, given, ownerId) : null
    const pictureId = await insert(db, { ownerId, key, ...(known ?? describe(encoded)) })
    try {
      if (await storeForms(db, storage, { key, pictureId, encoded })) return { pictureId }
      // Its files were removed since they were found, together with the last row that had them.
      await storeForms(db, storage, {
        key,
        pictureId,
        encoded: await encodeOnce(key, given, ownerId),
      })
      return { pictureId }
    } catch (error) {
      await lookAtPicture(db, storage, pictureId, { now: true }).catch(() => undefined)
      throw error
    }
  }
}

/**
 * Turns the picture of a video into a JPEG for a lesson, with the same checks as uploads.
 * @throws Refusal 400, 413 or 503; DecodingError
 */
export async function makeVideoCover(picture: Blob, asker: string): Promise<Uint8Array> {
  await validate(picture)
  return decode('videoCover', async () => new Uint8Array(await picture.arrayBuffer()), asker)
}

/** Checks and encodes a picture without storing it. @throws Refusal 400, 413 or 503 */
export async function encodeForms(picture: File): Promise<Encoded['forms']> {
  await validate(picture)
  return (await encode(picture, 'encoding alone')).forms
}

interface Description {
  readonly width: number
  readonly height: number
  readonly placeholder: string
  /** The sum of all forms. */
  readonly bytes: number
}

/** Returns the key. @throws Refusal 400 or 413 */
async function validate(file: Blob): Promise<string> {
  if (file instanceof File && !hasPictureEnding(file.name))
    throw invalidField(FIELD, 'allowedExtensionsMs')
  if (file.size > PICTURE_BYTES) throw tooManyBytes()
  // Imported with the first picture, to keep the start fast.
  const { fileTypeFromBuffer } = await import('file-type')
  const head = new Uint8Array(await file.slice(0, HEAD).arrayBuffer())
  const kind = await fileTypeFromBuffer(head).catch(() => undefined)
  if (kind === undefined || !KINDS.includes(kind.ext))
    throw invalidField(FIELD, 'pictureUnreadable')
  const hash = createHash('sha256').update(`${ENCODING}:`)
  // Hashes piece by piece: the file may be on the disk, and many are checked at once.
  for await (const piece of file.stream()) hash.update(piece)
  return hash.digest('hex').slice(0, 40)
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

/** A picture that the library can't read is reported to the person, not logged as a bug. */
async function encode(file: Blob, asker: string): Promise<Encoded> {
  try {
    const read = async () => new Uint8Array(await file.arrayBuffer())
    return await decode('picture', read, asker)
  } catch (error) {
    if (!(error instanceof DecodingError)) throw error
    if (error.message === TOO_MANY_PIXELS) {
      throw invalidField(FIELD, 'pictureTooManyPixels', { megapixels: PICTURE_PIXELS / 1_000_000 })
    }
    throw invalidField(FIELD, 'pictureUnreadable')
  }
}

function describe(encoded: Encoded | null): Description {
  if (encoded === null) throw new Error('a picture was not encoded')
  const { width, height, placeholder, forms } = encoded
  const bytes = forms.reduce((sum, { content }) => sum + content.byteLength, 0)
  return { width, height, placeholder, bytes }
}

/** Finds the same content if it is already encoded and completely stored. */
async function findForms(db: DbOrTx, storage: Storage, key: string): Promise<Description | null> {
  const found = await db
    .selectFrom('pictures')
    .select(['width', 'height', 'placeholder', 'bytes'])
    .where('key', '=', key)
    .orderBy('bytes', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined && (await hasForms(storage, key)) ? found : null
}

/** Inserts the row before its files, so that the sweep finds what a crash leaves. @throws Refusal 413 */
async function insert(
  db: Db,
  { ownerId, ...picture }: Description & { readonly ownerId: string | null; readonly key: string },
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    if (ownerId !== null) {
      await lockIn(tx, 'pictures', ownerId)
      const { used } = await tx
        .selectFrom('pictures')
        .select(sql<number>`coalesce(sum(bytes), 0)::bigint`.as('used'))
        .where('owner_id', '=', ownerId)
        .executeTakeFirstOrThrow()
      if (used + picture.bytes > PICTURE_QUOTA_BYTES) throw noRoomLeft()
    }
    const { id } = await tx
      .insertInto('pictures')
      .values({ owner_id: ownerId, ...picture })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
}

function noRoomLeft(): Refusal {
  const values = { megabytes: PICTURE_QUOTA_BYTES / 1024 / 1024 }
  return new Refusal(413, 'pictureQuota', {
    values,
    fields: { [FIELD]: message('pictureQuota', values) },
  })
}

/**
 * Writes missing files while nobody else writes or removes under this key. Returns false when files are missing
 * and `encoded` isn't given.
 */
function storeForms(
  db: Db,
  storage: Storage,
  picture: {
    readonly key: string
    readonly pictureId: number
    readonly encoded: Encoded | null
  },
): Promise<boolean> {
  const { key, pictureId, encoded } = picture
  return db.transaction().execute(async (tx) => {
    await lockKey(tx, key)
    if (await hasForms(storage, key)) return true
    if (encoded === null) return false
    for (const { width, content } of encoded.forms)
      await storage.put(pictureKey(key, width), content)
    const { bytes } = describe(encoded)
    await tx.updateTable('pictures').set({ bytes }).where('id', '=', pictureId).execute()
    return true
  })
}
