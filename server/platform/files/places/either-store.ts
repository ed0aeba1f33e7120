/**
 * Resumable uploads while files move between two storages. Imported with the first of them, because the library is
 * large.
 */
import type { Readable } from 'node:stream'
import { DataStore, ERRORS, type Upload } from '@tus/server'
import { resourceKey } from '#server/platform/files/names.ts'
import type { Storage } from '#server/platform/core/storage.ts'
import { BoundedMap } from '#server/kernel/bounded-map.ts'

/** Uploads whose storage is remembered. */
const MOST_KNOWN = 1000
const NOT_THERE: readonly unknown[] = [ERRORS.FILE_NOT_FOUND, ERRORS.FILE_NO_LONGER_EXISTS]

/** An upload continues in the storage where it began; a new one begins in the first. */
export class EitherStore extends DataStore {
  readonly #first: DataStore
  readonly #second: DataStore
  readonly #secondFiles: Pick<Storage, 'remove'>
  readonly #begunIn = new BoundedMap<string, DataStore>({ most: MOST_KNOWN })

  constructor(first: DataStore, second: DataStore, secondFiles: Pick<Storage, 'remove'>) {
    super()
    this.extensions = first.extensions
    this.#first = first
    this.#second = second
    this.#secondFiles = secondFiles
  }

  override async create(upload: Upload): Promise<Upload> {
    this.#begunIn.set(upload.id, this.#first)
    return this.#first.create(upload)
  }

  override async getUpload(id: string): Promise<Upload> {
    try {
      const upload = await this.#first.getUpload(id)
      this.#begunIn.set(id, this.#first)
      return upload
    } catch (error) {
      if (!NOT_THERE.includes(error)) throw error
    }
    const upload = await this.#second.getUpload(id)
    this.#begunIn.set(id, this.#second)
    return upload
  }

  override async write(content: Readable, id: string, offset: number): Promise<number> {
    if (this.#begunIn.peek(id) === undefined) await this.getUpload(id)
    return (this.#begunIn.get(id) ?? this.#first).write(content, id, offset)
  }

  /** The first store checks with the record whether the upload may be removed. */
  override async remove(id: string): Promise<void> {
    await this.#first.remove(id)
    await this.#secondFiles.remove(resourceKey(id))
  }
}
