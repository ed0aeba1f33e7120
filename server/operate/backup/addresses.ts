/** Reads the addresses of archives that people enter: a file, a folder or a bucket, with or without keys. */
import { existsSync, statSync } from 'node:fs'
import { BackupError } from '#server/operate/backup/archive/format.ts'
import {
  dateOf,
  openBucketPlace,
  openFolder,
  readArchiveFile,
  type Place,
} from '#server/operate/backup/places.ts'
import type { Config } from '#server/kernel/config.ts'
import type { Log } from '#server/kernel/log.ts'
import { parseS3Address, type S3Address } from '#server/kernel/s3-address.ts'
import type { BackupAddress } from '#server/kernel/setting-kinds.ts'

type Known = Pick<Config, 'BACKUP_URL' | 'S3_URL'>

export function openPlace(address: BackupAddress, log: Log): Place | Promise<Place> {
  return 'folder' in address ? openFolder(address.folder) : openBucketPlace(address.bucket, log)
}

/**
 * Reads the target of backups: a folder, `s3://bucket` with the keys of BACKUP_URL or S3_URL, or a bucket address
 * with its own keys. @throws BackupError
 */
export function readPlace(text: string, known: Known): BackupAddress {
  if (!/^(?:s3|https?):\/\//.test(text))
    return { folder: text.startsWith('file:///') ? text.slice('file://'.length) : text }
  return { bucket: readBucket(text, known) }
}

function readBucket(text: string, { BACKUP_URL, S3_URL }: Known): S3Address {
  const bare = /^s3:\/\/([^/@?]+)\/?$/.exec(text)?.[1]
  if (bare === undefined) {
    const address = parseS3Address(text.replace(/^s3:/, 'https:'))
    if (typeof address !== 'string') return address
    throw new BackupError(`The address of the bucket ${address}. The keys are not repeated here.`)
  }
  const own = BACKUP_URL !== undefined && 'bucket' in BACKUP_URL ? BACKUP_URL.bucket : S3_URL
  if (own === undefined)
    throw new BackupError(
      `s3://${bare} needs the keys of a bucket: set BACKUP_URL or S3_URL, as in https://KEY:SECRET@s3.example.com/bucket`,
    )
  return { ...own, bucket: bare }
}

/** An archive that can be read from its start several times. */
export interface Source {
  read(): AsyncIterable<Buffer>
  close(): void
}

/**
 * Opens a file, a name in BACKUP_URL, or `s3://bucket/name`. Reads nothing yet.
 * @throws BackupError when there can be no such archive
 */
export async function openSource(text: string, known: Known, log: Log): Promise<Source> {
  const [, where = '', name = ''] =
    /^(.*?)\/?(?:backups\/)?([^/]+)$/.exec(text.split('?')[0] ?? '') ?? []
  if (/^(?:s3|https?):\/\//.test(text)) {
    if (dateOf(name) === null)
      throw new BackupError(
        'Name an archive in the bucket, as in s3://bucket/knowledge-bazaar-20260131-010000.tar',
      )
    const query = text.includes('?') ? text.slice(text.indexOf('?')) : ''
    const place = await openPlace({ bucket: readBucket(`${where}${query}`, known) }, log)
    return { read: () => place.read(name), close: () => place.close() }
  }
  const isInPlace = known.BACKUP_URL !== undefined && dateOf(text) !== null && !existsSync(text)
  if (isInPlace) {
    const place = await openPlace(known.BACKUP_URL, log)
    return { read: () => place.read(text), close: () => place.close() }
  }
  const found = statSync(text, { throwIfNoEntry: false })
  if (found === undefined) throw new BackupError(`There is no file ${text}.`)
  if (!found.isFile()) throw new BackupError(`${text} is no file. Name the archive in it.`)
  return { read: () => readArchiveFile(text), close: () => {} }
}
