/** Two storages as one, while files move from one to the other: written to the first, read from where they are. */
import type { Readable } from 'node:stream'
import { DataStore, ERRORS, type Upload } from '@tus/server'
import { resourceKey } from '#server/files/names.ts'
import type { Storage } from '#server/files/storage.ts'
import { BoundedMap } from '#server/kernel/bounded-map.ts'

/**
 * Writes go to `first`; what it does not have is read from `second`. A removal is made in both, in `second` before
 * `first`: whoever copies from it looks there again afterwards, so that no copy outlives its file.
 */
export function joinStorages(first: Storage, second: Storage): Storage {
  const inEither = async <Found>(find: (storage: Storage) => Promise<Found | null>) =>
    (await find(first)) ?? (await find(second))
  return {
    place: first.place,
    put: (key, content, sha256) => first.put(key, content, sha256),
    open: (key, range) => inEither((storage) => storage.open(key, range)),
    sizeOf: (key) => inEither((storage) => storage.sizeOf(key)),
    hashOf: (key) => inEither((storage) => storage.hashOf(key)),
    remove: async (key) => {
      await second.remove(key)
      await first.remove(key)
    },
    list: (prefix) => listBoth(first, second, prefix),
    link: async (key, name) => {
      // A link is an address whether something stands there or not.
      const holder = (await first.sizeOf(key)) === null ? second : first
      return holder.link(key, name)
    },
    check: () => first.check(),
    sweep: async () => {
      await first.sweep()
      await second.sweep()
    },
    resumable: (records) =>
      new EitherStore(first.resumable(records), second.resumable(records), second),
    close: () => {
      first.close()
      second.close()
    },
  }
}

/** A key that both have comes once: those of `second` are looked up in `first`. */
async function* listBoth(first: Storage, second: Storage, prefix: string): AsyncGenerator<string> {
  yield* first.list(prefix)
  for await (const key of second.list(prefix)) if ((await first.sizeOf(key)) === null) yield key
}

/** Uploads whose storage need not be looked for. */
const MOST_KNOWN = 1000
const NOT_THERE: readonly unknown[] = [ERRORS.FILE_NOT_FOUND, ERRORS.FILE_NO_LONGER_EXISTS]

/** An upload goes on where it was begun; a new one begins in the first. */
class EitherStore extends DataStore {
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

  /** The first one asks the record whether it may go. */
  override async remove(id: string): Promise<void> {
    await this.#first.remove(id)
    await this.#secondFiles.remove(resourceKey(id))
  }
}
