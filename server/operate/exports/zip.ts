/**
 * Writes a ZIP archive of a person's data: a page to read, the same as JSON, notes as Markdown, pictures and
 * files.
 */
import { makeZip } from 'client-zip'
import { sql } from 'kysely'
import { PICTURE_WIDTHS } from '#contract/files.ts'
import type { Locale } from '#contract/messages/messages.ts'
import { siteNameIn, type SiteNames } from '#contract/site.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { streamJson } from '#server/operate/exports/archive.ts'
import { fileInZip, pictureInZip } from '#server/operate/exports/places.ts'
import { writePage } from '#server/operate/exports/page.ts'
import { picturesOf } from '#server/platform/files/personal.ts'
import { pictureKey, resourceKey } from '#server/platform/files/names.ts'
import type { Storage, StoredFile } from '#server/platform/core/storage.ts'
import { writeNotes } from '#server/items/notes/markdown.ts'

export interface ZipNeeds {
  readonly db: Db
  readonly storage: Pick<Storage, 'open'>
  readonly names: SiteNames
  readonly now: Date
}

interface Entry {
  readonly name: string
  readonly lastModified: Date
  readonly input: AsyncIterable<Buffer>
}

/** Files per query. */
const BATCH = 100
/** Approximate size of a text chunk in bytes. */
const PIECE = 64 * 1024

/**
 * Generates chunks on demand, so that memory use is constant. Ending it early closes the open file.
 * @throws errors of the database and the storage
 */
export async function* writeZip(needs: ZipNeeds, userId: string): AsyncGenerator<Buffer> {
  const entries = listEntries(needs, userId)
  const pieces = makeZip(entries, { buffersAreUTF8: true }).getReader()
  try {
    for (;;) {
      const { done, value } = await pieces.read()
      if (done) return
      yield Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    }
  } finally {
    await entries.return(undefined).catch(() => undefined)
    await pieces.cancel().catch(() => undefined)
  }
}

async function* listEntries(needs: ZipNeeds, userId: string): AsyncGenerator<Entry, undefined> {
  const { db, names, now } = needs
  const { rows } = await sql<{ locale: Locale }>`
    select u.locale from users u where u.id = ${userId}`.execute(db)
  const locale = rows[0]?.locale ?? 'en'
  const text = (name: string, pieces: AsyncIterable<string>): Entry => ({
    name,
    lastModified: now,
    input: toPieces(pieces),
  })
  yield text(
    'index.html',
    writePage(db, userId, { locale, site: siteNameIn(names, locale).site, now }),
  )
  yield text('data.json', streamJson(db, userId))
  yield text('notes.md', writeNotes(db, userId, { locale, site: siteNameIn(names, locale).site }))
  for await (const picture of listPictures(db, userId)) {
    const stored = await openWidest(needs.storage, picture.key)
    if (stored !== null) yield* entryOf(pictureInZip(picture.id), picture.date, stored)
  }
  for await (const upload of listUploads(db, userId)) {
    const stored = await needs.storage.open(resourceKey(upload.id))
    if (stored !== null) yield* entryOf(fileInZip(upload), upload.date, stored)
  }
}

/** Closes the stream however the archive ends. */
async function* entryOf(name: string, lastModified: Date, { stream }: StoredFile) {
  try {
    yield { name, lastModified, input: stream }
  } finally {
    stream.destroy()
  }
}

/** Yields chunks of similar size. An empty chunk would end the entry. */
async function* toPieces(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let piece = ''
  for await (const text of texts) {
    piece += text
    if (piece.length < PIECE) continue
    yield Buffer.from(piece)
    piece = ''
  }
  if (piece !== '') yield Buffer.from(piece)
}

/** Small pictures have no wide version. */
async function openWidest(storage: ZipNeeds['storage'], key: string): Promise<StoredFile | null> {
  for (const width of PICTURE_WIDTHS.toReversed()) {
    const stored = await storage.open(pictureKey(key, width))
    if (stored !== null) return stored
  }
  return null
}

interface OwnPicture {
  readonly id: number
  readonly key: string
  readonly date: Date
}

async function* listPictures(db: Db, userId: string): AsyncGenerator<OwnPicture> {
  let after: number | undefined = 0
  while (after !== undefined) {
    const { rows }: { rows: OwnPicture[] } = await sql<OwnPicture>`
      select p.id, p.key, p.created_at as date from pictures p
      where p.id in (${picturesOf(userId)}) and p.id > ${after} order by p.id limit ${sql.lit(BATCH)}`.execute(
      db,
    )
    yield* rows
    after = rows.length === BATCH ? rows.at(-1)?.id : undefined
  }
}

interface OwnUpload {
  readonly id: string
  readonly name: string
  readonly date: Date
}

/** Upload ids increase with time. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

async function* listUploads(db: Db, userId: string): AsyncGenerator<OwnUpload> {
  let after: string | undefined = FIRST_ID
  while (after !== undefined) {
    const { rows }: { rows: OwnUpload[] } = await sql<OwnUpload>`
      select f.id, f.name, f.created_at as date from uploads f
      where f.owner_id = ${userId} and f.finished_at is not null and f.id > ${after}
      order by f.id limit ${sql.lit(BATCH)}`.execute(db)
    yield* rows
    after = rows.length === BATCH ? rows.at(-1)?.id : undefined
  }
}
