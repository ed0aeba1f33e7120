/**
 * Stores the pictures of drafts in IndexedDB, because localStorage (see draft-store.ts) cannot hold files. If there is
 * no database or it is full, nothing is stored and nothing fails.
 */
import { PICTURE_BYTES } from '#contract/limits.ts'
import { isRecord } from '#web/core/shape.ts'
import { isOwn } from '#web/core/storage/draft-store.ts'

const DATABASE = 'kb-drafts'
const STORE = 'pictures'
/** Signing out waits at most this long, in ms. */
const TIMEOUT_MS = 1000

let opened: Promise<IDBDatabase> | undefined

/** Replaces an earlier picture. The draft refers to it by `id`, so that it is never mistaken for another choice. */
export async function putPicture(key: string, id: string, file: File): Promise<void> {
  // The user may have signed out meanwhile.
  if (file.size > PICTURE_BYTES || !isOwn(key)) return
  await ask('readwrite', (store) => store.put({ id, file, savedAt: Date.now() }, key))
}

export async function readPicture(key: string, id: string): Promise<File | undefined> {
  const stored: unknown = await ask('readonly', (store) => store.get(key))
  if (!isRecord(stored) || stored['id'] !== id) return undefined
  return stored['file'] instanceof File ? stored['file'] : undefined
}

export async function removePicture(key: string): Promise<void> {
  await ask('readwrite', (store) => store.delete(key))
}

/** Replaces a picture that is already stored under the new key. */
export async function movePicture(from: string, to: string): Promise<void> {
  await ask('readwrite', (store) => {
    const stored = store.get(from)
    stored.onsuccess = () => {
      if (stored.result === undefined) return
      store.put(stored.result, to)
      store.delete(from)
    }
    return stored
  })
}

/** Deletes all pictures of a person when they sign out. Waits at most a second. */
export async function forgetPictures(person: string): Promise<void> {
  const start = `kb:${person}:`
  const deletion = ask('readwrite', (store) =>
    store.delete(IDBKeyRange.bound(start, `${start}\uFFFF`)),
  )
  await Promise.race([deletion, new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS))])
}

/**
 * Deletes pictures without a draft, left by a sign-out elsewhere. The user's own stay for a day, because a picture is
 * stored before the draft that refers to it.
 */
export async function sweepPictures(): Promise<void> {
  await ask('readwrite', (store) => {
    const walk = store.openCursor()
    walk.onsuccess = () => {
      const at = walk.result
      if (at === null) return
      const { key, value } = at
      if (typeof key !== 'string' || (!hasDraft(key) && !(isOwn(key) && isNew(value)))) at.delete()
      at.continue()
    }
    return walk
  })
}

function isNew(stored: unknown): boolean {
  const savedAt = isRecord(stored) ? stored['savedAt'] : undefined
  return typeof savedAt === 'number' && Date.now() - savedAt < 86_400_000
}

function hasDraft(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}

/** Runs one step in its own transaction. Resolves to undefined if the browser refuses it. */
async function ask<T>(
  mode: IDBTransactionMode,
  step: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  try {
    const database = await open()
    const transaction = database.transaction(STORE, mode)
    const request = step(transaction.objectStore(STORE))
    return await new Promise((resolve) => {
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => resolve(undefined)
    })
  } catch {
    // The database is forbidden, full or broken. The form works as if there were no picture.
    return undefined
  }
}

/** Opens the database once and reuses it. Throws if the browser has none or refuses it. */
function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE)
    request.onsuccess = () => {
      const database = request.result
      // Another tab deletes or upgrades the database, or the browser closes it. The next step opens it again.
      const close = () => {
        database.close()
        opened = undefined
      }
      database.onversionchange = close
      database.onclose = close
      resolve(database)
    }
    request.onerror = () => reject(new Error('no database for pictures', { cause: request.error }))
  })
  return opened
}
