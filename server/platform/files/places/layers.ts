/** Combines two storages while files move from one to the other. */
import type { Storage } from '#server/platform/core/storage.ts'

/**
 * Writes to `first`, and reads from `second` what `first` lacks. Removes from `second` before `first`: whoever
 * copies from `second` checks there again afterwards, so no copy outlives its file.
 */
export function joinStorages(first: Storage, second: Storage): Storage {
  const inEither = async <Found>(find: (storage: Storage) => Promise<Found | null>) =>
    (await find(first)) ?? (await find(second))
  return {
    place: first.place,
    put: (key, content, sha256) => first.put(key, content, sha256),
    open: (key, range, pieceBytes) => inEither((storage) => storage.open(key, range, pieceBytes)),
    sizeOf: (key) => inEither((storage) => storage.sizeOf(key)),
    hashOf: (key) => inEither((storage) => storage.hashOf(key)),
    remove: async (key) => {
      await second.remove(key)
      await first.remove(key)
    },
    list: (prefix) => listBoth(first, second, prefix),
    link: async (key, name) => {
      // Creating a link doesn't check whether the file exists.
      const holder = (await first.sizeOf(key)) === null ? second : first
      return holder.link(key, name)
    },
    check: () => first.check(),
    sweep: async () => {
      await first.sweep()
      await second.sweep()
    },
    resumable: async (records) => {
      const { EitherStore } = await import('#server/platform/files/places/either-store.ts')
      return new EitherStore(
        await first.resumable(records),
        await second.resumable(records),
        second,
      )
    },
    close: () => {
      first.close()
      second.close()
    },
  }
}

/** Lists a key of both storages once: those of `second` are looked up in `first`. */
async function* listBoth(first: Storage, second: Storage, prefix: string): AsyncGenerator<string> {
  yield* first.list(prefix)
  for await (const key of second.list(prefix)) if ((await first.sizeOf(key)) === null) yield key
}
