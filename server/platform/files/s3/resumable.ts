/** Resumable uploads to a bucket: the library writes the parts, and our rows record their owners and sizes. */
import { Readable } from 'node:stream'
import type { Configstore } from '@tus/file-store'
import { S3Store, type MetadataValue } from '@tus/s3-store'
import { DataStore, ERRORS, Upload } from '@tus/server'
import { resourceKey } from '#server/platform/files/names.ts'
import type { Bucket } from '#server/platform/files/s3/bucket.ts'
import { isMissing, S3Failure } from '#server/platform/files/s3/failure.ts'
import { PART_BYTES } from '#server/platform/files/s3/multipart.ts'
import { removeCompanions } from '#server/platform/files/s3/objects.ts'
import type { Storage } from '#server/platform/core/storage.ts'
import { BoundedMap } from '#server/kernel/bounded-map.ts'

/** Uploads in progress whose ids are cached. */
const MOST_KNOWN = 1000
/** Parts are collected on the disk, not in memory, so that slow senders don't keep others waiting. */
const MOST_PARTS = 500

/**
 * The library's store with our keys. The library records an upload in a companion object, which is removed when
 * the upload is complete; an upload is complete when the whole file exists under its key, whatever the companion
 * says.
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

  /** The name that a person gave stays in our row; the bucket sees only ids and sizes. */
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

  /** Deletes the record first, because that refuses when the upload is in use. */
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
    // All parts arrived but weren't joined, because the process was killed or the bucket was unavailable. Joins
    // them now.
    return this.write(Readable.from([]), id, offset)
  }

  /**
   * Reads the library's record. The library reports an upload as unknown also when the bucket didn't respond, so
   * this checks for the record.
   */
  async #noted(key: string): Promise<Upload> {
    try {
      return await this.#ask(() => this.#parts.getUpload(key))
    } catch (error) {
      if (error === ERRORS.FILE_NOT_FOUND && (await this.#storage.sizeOf(`${key}.info`)) !== null)
        throw new S3Failure('away', 'an upload could not be looked up')
      throw error
    }
  }

  /**
   * Checks the joined file: the parts of two concurrent senders could form another file, or the row may be gone.
   */
  async #finish(key: string, size: number | undefined): Promise<void> {
    const stored = await this.#storage.sizeOf(key)
    if (stored !== null && stored === size) return removeCompanions(this.#bucket, key)
    this.#known.delete(key)
    await this.#storage.remove(key)
    throw size === undefined
      ? ERRORS.FILE_NOT_FOUND
      : new S3Failure('other', `an upload of ${size} bytes became ${stored ?? 0}`)
  }

  /** Passes on the library's own errors, which are protocol responses, and converts those of the bucket. */
  async #ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    try {
      return await this.#bucket.run(question)
    } catch (error) {
      if (isMissing(error)) throw ERRORS.FILE_NOT_FOUND
      throw error
    }
  }
}
