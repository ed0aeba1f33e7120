/**
 * The pictures of drafts, in IndexedDB: localStorage, where their words are stored (see draft-store.ts), takes no files.
 * One picture stands under the key of its draft's words and goes when they go. Import it when a form is open, not
 * before. Where the browser gives no database, or no room in it, nothing is stored and nothing fails.
 */
import { PICTURE_BYTES } from '#contract/limits.ts'
import { currentPerson } from '#web/core/session.ts'
import { isRecord } from '#web/core/shape.ts'

const DATABASE = 'kb-drafts'
const STORE = 'pictures'
/** Nobody who signs out waits longer, in milliseconds. */
const PATIENCE = 1000

let opened: Promise<IDBDatabase> | undefined

/**
 * Stores the picture of a draft, instead of one that was stored before. The draft's words name the `id`, so that a
 * picture is never taken for another choice.
 * @param key the draft's (see draft-store.ts)
 */
export async function putPicture(key: string, id: string, file: File): Promise<void> {
  // Signed out meanwhile: nothing is stored under a name that has gone.
  if (file.size > PICTURE_BYTES || !isOwn(key)) return
  await ask('readwrite', (store) => store.put({ id, file, savedAt: Date.now() }, key))
}

/** The picture that is stored under the key, if it is the one of that id. */
export async function readPicture(key: string, id: string): Promise<File | undefined> {
  const stored: unknown = await ask('readonly', (store) => store.get(key))
  if (!isRecord(stored) || stored['id'] !== id) return undefined
  return stored['file'] instanceof File ? stored['file'] : undefined
}

/**
 * Deletes the picture of a draft; a key without one is no error.
 * @param key the draft's (see draft-store.ts)
 */
export async function removePicture(key: string): Promise<void> {
  await ask('readwrite', (store) => store.delete(key))
}

/** Moves the picture of a draft to another key, over one that is there. A key without one is no error. */
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

/** At the sign-out of a person: takes all of theirs away, within a second. */
export async function forgetPictures(person: string): Promise<void> {
  const start = `kb:${person}:`
  const gone = ask('readwrite', (store) => store.delete(IDBKeyRange.bound(start, `${start}\uFFFF`)))
  await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, PATIENCE))])
}

/**
 * Takes away what a sign-out in another tab, or one that was cut short, has left: pictures beside which no words are
 * stored. Those of the signed-in person stay for a day, because a picture is stored before the words that name it.
 */
export async function sweepPictures(): Promise<void> {
  await ask('readwrite', (store) => {
    const walk = store.openCursor()
    walk.onsuccess = () => {
      const at = walk.result
      if (at === null) return
      const { key, value } = at
      if (typeof key !== 'string' || (!hasWords(key) && !(isOwn(key) && isNew(value)))) at.delete()
      at.continue()
    }
    return walk
  })
}

function isOwn(key: string): boolean {
  const person = currentPerson()
  return person !== null && key.startsWith(`kb:${person._id}:`)
}

function isNew(stored: unknown): boolean {
  const savedAt = isRecord(stored) ? stored['savedAt'] : undefined
  return typeof savedAt === 'number' && Date.now() - savedAt < 86_400_000
}

function hasWords(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}

/** One step of its own, after those that were asked for before; undefined when the browser refuses it. */
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
    // Forbidden, full or broken: the form works as if there were no picture.
    return undefined
  }
}

/** The database, opened once for all steps. @throws where the browser has none or refuses it */
function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE)
    request.onsuccess = () => {
      const database = request.result
      // Another tab removes or changes it, or the browser has taken it away: the next step opens it again.
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
