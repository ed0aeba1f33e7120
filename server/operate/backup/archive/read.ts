/** Reads an archive entry by entry and checks each against its checksum. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract } from 'tar-stream'
import { buffersOf } from '#server/operate/backup/archive/pieces.ts'
import {
  BackupError,
  createSums,
  damaged,
  foreign,
  FORMAT,
  kindOf,
  LARGEST_PART,
  Manifest,
  openEnding,
  parseJson,
  type Ending,
} from '#server/operate/backup/archive/format.ts'
import { freePiece } from '#server/kernel/http/pieces.ts'

/** The contents of an archive in order: the manifest first, the ending last. */
export type Content =
  | { readonly kind: 'manifest'; readonly manifest: Manifest }
  | { readonly kind: 'key'; readonly bytes: Buffer }
  | { readonly kind: 'table'; readonly table: string; readonly packed: Buffer }
  | {
      readonly kind: 'file'
      readonly key: string
      readonly size: number
      /** Can be read once; whatever its reader leaves is skipped. */
      readonly content: AsyncIterable<Buffer>
    }
  | { readonly kind: 'end'; readonly ending: Ending }

/**
 * Checks each entry when it was read, and the lists of checksums when they come: only after the ending is
 * everything verified.
 * @throws BackupError for an archive that is cut, altered or of another product; errors of the stream
 */
export async function* readArchive(source: AsyncIterable<Buffer>): AsyncGenerator<Content> {
  const tar = extract()
  let failure: unknown = null
  // An error of the source reaches the reader of the entries through the tar stream.
  const feeding = pipeline(Readable.from(source, { objectMode: false }), tar).catch(
    (error: unknown) => {
      failure = error
    },
  )
  const sums = createSums()
  let entries = 0
  let ended = false
  try {
    for await (const entry of tar) {
      const { name, size } = entry.header
      const bytesOf = buffersOf(entry)
      const kind = kindOf(name)
      if (entries === 0 && kind.kind !== 'manifest') throw foreign()
      if (ended) throw damaged('something follows its end')
      if (kind.kind === 'sums') {
        const expected = sums.takeList()
        if ((await readAll(bytesOf, size)).toString() !== expected)
          throw damaged(`what comes before ${name} is not what was written`)
        continue
      }
      if (kind.kind === 'end') {
        const ending = openEnding((await readAll(bytesOf, size)).toString())
        if (ending === null) throw damaged('its end was altered')
        if (ending.entries !== entries || ending.sums !== sums.total())
          throw damaged('something of it is missing')
        ended = true
        yield { kind: 'end', ending }
        continue
      }
      entries += 1
      const sum = createHash('sha256')
      if (kind.kind === 'file') {
        const content = hashed(bytesOf, sum)
        yield { ...kind, size, content }
        // The reader doesn't need the rest, but the checksum does.
        for await (const piece of content) freePiece(piece)
      } else {
        const bytes = await readAll(bytesOf, size)
        sum.update(bytes)
        if (kind.kind === 'table') yield { ...kind, packed: bytes }
        else if (kind.kind === 'key') yield { kind: 'key', bytes }
        else yield { kind: 'manifest', manifest: readManifest(bytes) }
      }
      sums.note(name, size, sum.digest('hex'))
    }
    await feeding
    if (failure !== null) throw failure
    if (entries === 0) throw foreign()
    if (!ended) throw damaged('its end is missing')
  } catch (error) {
    throw explain(failure ?? error, entries)
  } finally {
    tar.destroy()
    await feeding
  }
}

/** @throws BackupError for a manifest of another product, or of a later version */
function readManifest(bytes: Buffer): Manifest {
  const json = parseJson(bytes.toString())
  const format =
    typeof json === 'object' && json !== null && 'format' in json ? Number(json.format) : 0
  if (format > FORMAT)
    throw new BackupError(
      'This backup was made by a newer version of Knowledge Bazaar. Restore it with that version, or a later one. Nothing was changed.',
    )
  const { data } = Manifest.safeParse(json)
  if (data === undefined) throw foreign()
  return data
}

/** Stops at the end of the entry, however often it is called. */
async function* hashed(
  entry: AsyncIterable<Buffer>,
  sum: { update(piece: Buffer): unknown },
): AsyncGenerator<Buffer> {
  for await (const piece of entry) {
    sum.update(piece)
    yield piece
  }
}

async function readAll(entry: AsyncIterable<Buffer>, size: number): Promise<Buffer> {
  if (size > LARGEST_PART) throw damaged('a part of it is larger than any part may be')
  const pieces: Buffer[] = []
  for await (const piece of entry) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Translates errors of the tar library. */
function explain(error: unknown, entries: number): unknown {
  if (error instanceof BackupError) return error
  // These are errors of the system or of a storage.
  const isOther =
    error instanceof Error && 'code' in error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE'
  if (isOther) return error
  if (
    error instanceof Error &&
    /tar|header|unexpected end|chunk|tag|ciphertext|premature/i.test(error.message)
  )
    return entries === 0 ? foreign() : damaged('it is cut, or was altered')
  return error
}
