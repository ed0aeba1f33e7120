/** Uploads in pieces to a bucket: the library writes the parts, our rows know whose uploads they are and how large. */
import { Readable } from 'node:stream'
import type { Configstore } from '@tus/file-store'
import { S3Store, type MetadataValue } from '@tus/s3-store'
import { DataStore, ERRORS, Upload } from '@tus/server'
import { resourceKey } from '#server/files/names.ts'
import type { Bucket } from '#server/files/s3/bucket.ts'
import { isMissing, S3Failure } from '#server/files/s3/failure.ts'
import { PART_BYTES } from '#server/files/s3/multipart.ts'
import { removeCompanions } from '#server/files/s3/objects.ts'
import type { Storage } from '#server/files/storage.ts'
import { BoundedMap } from '#server/kernel/bounded-map.ts'

/** Uploads under way whose ids the library need not ask the bucket for. */
const MOST_KNOWN = 1000
/** Parts wait on the disk while they are gathered, not in memory, so that slow senders keep nobody else waiting. */
const MOST_PARTS = 500

/**
 * The library's store, under our keys. It notes an upload in a companion object, which goes when the upload is complete;
 * complete is what lies whole under its key, whatever the companion says.
 */
export class ResumableBucket extends DataStore {
  readonly #bucket: Bucket
  readonly #storage: Pick<Storage, 'sizeOf' | 'remove'>
  readonly #records: Configstore
  readonly #parts: S3Store
  readonly #known = new BoundedMap<string, MetadataValue>({ most: MOST_KNOWN })

  constructor(bucket: Bucket, storage: Pick<Storage, 'sizeOf' | 'remove'>, records: Configstore) {
    super()
    this.extensions = ['creation', 'creation-with-upload', 'termination']
    this.#bucket = bucket
    this.#storage = storage
    this.#records = records
    const known = this.#known
    this.#parts = new S3Store({
      partSize: PART_BYTES,
      maxConcurrentPartUploads: MOST_PARTS,
      useTags: false,
      cache: {
        get: async (id) => known.get(id),
        set: async (id, value) => known.set(id, value),
        delete: async (id) => known.delete(id),
      },
      s3ClientConfig: { ...bucket.config, bucket: bucket.name },
    })
  }

  /** The name that a person gave stays in our row: the bucket is told ids and sizes. */
  override async create(upload: Upload): Promise<Upload> {
    await this.#ask(() =>
      this.#parts.create(
        new Upload({ id: resourceKey(upload.id), size: upload.size ?? 0, offset: 0 }),
      ),
    )
    return upload
  }

  override async getUpload(id: string): Promise<Upload> {
    const record = await this.#records.get(id)
    if (record === undefined) throw ERRORS.FILE_NOT_FOUND
    record.offset = await this.#offsetOf(id, record.size)
    return record
  }

  override async write(content: Readable, id: string, offset: number): Promise<number> {
    const key = resourceKey(id)
    const end = await this.#ask(() => this.#parts.write(content, key, offset))
    const record = await this.#records.get(id)
    if (record === undefined || end === record.size) await this.#finish(key, record?.size)
    return end
  }

  /** The record goes first: it refuses when the upload is in use. */
  override async remove(id: string): Promise<void> {
    await this.#records.delete(id)
    this.#known.delete(resourceKey(id))
    await this.#storage.remove(resourceKey(id))
  }

  async #offsetOf(id: string, size: number | undefined): Promise<number> {
    const key = resourceKey(id)
    const stored = await this.#storage.sizeOf(key)
    if (stored !== null && stored === size) return stored
    const { offset } = await this.#noted(key)
    if (offset !== size) return offset
    // Every part came, but they were not joined: the process was killed, or the bucket was away. That is done now.
    return this.write(Readable.from([]), id, offset)
  }

  /** What the library knows; it takes an upload for unknown when the bucket did not answer, which is another thing. */
  async #noted(key: string): Promise<Upload> {
    try {
      return await this.#ask(() => this.#parts.getUpload(key))
    } catch (error) {
      if (error === ERRORS.FILE_NOT_FOUND && (await this.#storage.sizeOf(`${key}.info`)) !== null)
        throw new S3Failure('away', 'an upload could not be looked up')
      throw error
    }
  }

  /** What was joined is checked: parts of two senders at once could be another file, or the row may have gone. */
  async #finish(key: string, size: number | undefined): Promise<void> {
    const stored = await this.#storage.sizeOf(key)
    if (stored !== null && stored === size) return removeCompanions(this.#bucket, key)
    this.#known.delete(key)
    await this.#storage.remove(key)
    throw size === undefined
      ? ERRORS.FILE_NOT_FOUND
      : new S3Failure('other', `an upload of ${size} bytes became ${stored ?? 0}`)
  }

  /** The library's own failures pass, they are the protocol's answers; those of the bucket are told as ours. */
  async #ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    try {
      return await this.#bucket.ask(question)
    } catch (error) {
      if (isMissing(error)) throw ERRORS.FILE_NOT_FOUND
      throw error
    }
  }
}
