/** Where archives are stored: a file, or a folder or bucket with one for each day. */
import { createReadStream } from 'node:fs'
import { access, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { BackupError } from '#server/operate/backup/archive/format.ts'
import { buffersOf } from '#server/operate/backup/archive/pieces.ts'
import { clearDeadDrafts, draftOf } from '#server/operate/backup/archive/drafts.ts'
import { readWhole } from '#server/operate/backup/whole-file.ts'
import { freePiece } from '#server/kernel/http/pieces.ts'
import { isDiskFull } from '#server/kernel/process/disk.ts'
import type { Log } from '#server/kernel/log.ts'
import type { S3Address } from '#server/kernel/s3-address.ts'

export interface Stored {
  readonly name: string
  readonly madeAt: Date
}

export interface Place {
  /** The name for people, without keys. */
  readonly label: string
  /** Stores all of the stream or nothing. @throws BackupError, and errors of the stream */
  write(name: string, archive: Readable): Promise<void>
  /** Lists the archives with names of ours, in no order. @throws BackupError */
  list(): Promise<Stored[]>
  /** @throws BackupError when there is no such archive */
  read(name: string): AsyncIterable<Buffer>
  remove(name: string): Promise<void>
  close(): void
}

const NAME = /^knowledge-bazaar-(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)\.(?:tar|age)$/
/** The prefix of archives in a bucket, which may also contain the files. */
const FOLDER = 'backups/'
/** Bytes of a part of an upload. A bucket accepts 10,000 parts, so an archive may have 160 GB there. */
const UPLOAD_PART_BYTES = 16 * 1024 * 1024
/** Bytes after which the file is flushed: gigabytes at once would delay the database's own writes. */
const FLUSHED_BYTES = 32 * 1024 * 1024
/** In ms, after which an unfinished upload is dropped. */
const LEFT_OVER_MS = 25 * 60 * 60 * 1000

/** Names an archive by its time in UTC, to the second. */
export function archiveName(at: Date, isEncrypted: boolean): string {
  const [day = '', time = ''] = at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').split('T')
  return `knowledge-bazaar-${day}-${time}.${isEncrypted ? 'age' : 'tar'}`
}

/** Returns the time in an archive's name, or null for a name that isn't ours. */
export function dateOf(name: string): Date | null {
  const [, year, month, day, hours, minutes, seconds] = NAME.exec(name) ?? []
  if (year === undefined) return null
  const date = new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`)
  return Number.isNaN(date.getTime()) ? null : date
}

const toStored = (names: readonly string[]): Stored[] =>
  names.flatMap((name) => {
    const madeAt = dateOf(name)
    return madeAt === null ? [] : [{ name, madeAt }]
  })

/** Creates the folder with the first write. */
export function openFolder(path: string): Place {
  const folder = resolve(path)
  return {
    label: folder,
    write: async (name, archive) => {
      await explained(folder, () => mkdir(folder, { recursive: true, mode: 0o700 }))
      await writeArchive(join(folder, name), archive)
    },
    list: async () => toStored(await explained(folder, () => readdir(folder))),
    read: (name) => readArchiveFile(join(folder, name)),
    remove: (name) => explained(folder, () => rm(join(folder, name), { force: true })),
    close: () => {},
  }
}

/**
 * Writes a file that only its owner may read, under a draft name until it is complete and on the disk.
 * @throws BackupError when it can't be written or exists already; leaves nothing then
 */
async function writeArchive(path: string, archive: Readable): Promise<void> {
  const folder = dirname(resolve(path))
  const draft = draftOf(path)
  try {
    await clearDeadDrafts(folder)
    if (await isThere(path))
      throw new BackupError(`${path} exists already. Name another file, or remove that one.`)
    await explained(folder, async () => {
      const file = await open(draft, 'wx', 0o600)
      try {
        let waiting = 0
        for await (const piece of buffersOf(archive)) {
          await file.writeFile(piece)
          waiting += piece.length
          freePiece(piece)
          if (waiting < FLUSHED_BYTES) continue
          await file.datasync()
          waiting = 0
        }
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, path)
      const opened = await open(folder, 'r')
      await opened.sync().finally(() => opened.close())
    })
  } catch (error) {
    archive.destroy()
    await rm(draft, { force: true }).catch(() => undefined)
    throw error
  }
}

/** @throws BackupError when there is no such file */
export async function* readArchiveFile(path: string): AsyncGenerator<Buffer> {
  yield* explainedPieces(path, createReadStream(path, { highWaterMark: 512 * 1024 }))
}

async function* explainedPieces(
  path: string,
  stream: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  try {
    yield* stream
  } catch (error) {
    throw explain(path, error)
  }
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

async function explained<Value>(place: string, act: () => Promise<Value>): Promise<Value> {
  try {
    return await act()
  } catch (error) {
    throw explain(place, error)
  }
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'this user has no right to it',
  EPERM: 'this user has no right to it',
  EISDIR: 'it is a folder, and a file is needed',
  EEXIST: 'a file stands where a folder is needed',
  ENOTDIR: 'a file stands where a folder is needed',
  EIO: 'the disk fails',
}

function explain(place: string, error: unknown): unknown {
  if (isDiskFull(error))
    return new BackupError(
      `The disk of ${place} is full. What was written of the backup was removed. Make room, or name another place.`,
      { cause: error },
    )
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  // Explains only errors of the place; other errors already have an explanation.
  const isOfPlace = error instanceof Error && 'syscall' in error
  const why = WHY[code]
  return why === undefined || !isOfPlace
    ? error
    : new BackupError(`${place} can not be used: ${why}.`, { cause: error })
}

/** Opens a bucket; all archives are below `backups/`. */
export async function openBucketPlace(address: S3Address, log: Log): Promise<Place> {
  // The client is large, so it is imported only for a bucket.
  const { openBucket } = await import('#server/platform/files/s3/bucket.ts')
  const { S3Failure, toFailure } = await import('#server/platform/files/s3/failure.ts')
  const { createS3Storage } = await import('#server/platform/files/s3/store.ts')
  const { abort, listUnfinished, putStream } =
    await import('#server/platform/files/s3/multipart.ts')
  const bucket = openBucket(address, log)
  const storage = createS3Storage(bucket)
  const label = `${address.endpoint}/${address.bucket}/${FOLDER}`
  const asked = async <Value>(act: () => Promise<Value>): Promise<Value> => {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof S3Failure)) throw error
      const sentence = toFailure(error).sentence.replaceAll('S3_URL', 'the place of the backup')
      throw new BackupError(`${label} can not be used: ${sentence}`, { cause: error })
    }
  }
  const dropLeftOvers = async () => {
    for await (const upload of listUnfinished(bucket, FOLDER))
      if (upload.begun.getTime() < Date.now() - LEFT_OVER_MS) await abort(bucket, upload)
  }
  return {
    label,
    write: async (name, archive) => {
      try {
        await asked(async () => {
          // Not every server can list unfinished uploads, which mustn't prevent the backup.
          await dropLeftOvers().catch(() => undefined)
          const type = 'application/octet-stream'
          await putStream(bucket, `${FOLDER}${name}`, archive, { type }, UPLOAD_PART_BYTES)
        })
      } finally {
        archive.destroy()
      }
    },
    list: () =>
      asked(async () => {
        const names: string[] = []
        for await (const key of storage.list(FOLDER)) names.push(key.slice(FOLDER.length))
        return toStored(names)
      }),
    read: async function* (name) {
      const key = `${FOLDER}${name}`
      const size = await asked(() => storage.sizeOf(key))
      if (size === null) throw new BackupError(`There is no ${name} in ${label}.`)
      yield* readWhole(storage, key, size)
    },
    remove: (name) => asked(() => storage.remove(`${FOLDER}${name}`)),
    close: () => storage.close(),
  }
}
