/** Stores unsent messages in this browser, under the user's id, until the server has them. */
import * as z from 'zod/mini'

const StoredList = z.array(
  z.object({
    draftId: z.string(),
    text: z.string(),
    date: z.string(),
    triedAfter: z.nullable(z.number()),
  }),
)

export type StoredUnsent = z.infer<typeof StoredList>[number]

/** Shared by all tabs, so each step reads the storage again. */
export interface UnsentStore {
  /** Oldest first. Null if nothing can be stored here. */
  readonly read: () => readonly StoredUnsent[] | null
  /** Adds or overwrites the message. Returns false if it could not be stored. */
  readonly put: (one: StoredUnsent) => boolean
  readonly drop: (draftId: string) => void
}

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Signing out deletes the key `kb:{person}:chat:{other}` (both are ids) with everything else of that person. */
export function createUnsentStore(
  storage: () => Storage,
  personId: string,
  otherId: string,
): UnsentStore {
  const key = `kb:${personId}:chat:${otherId}`

  function read(): readonly StoredUnsent[] | null {
    try {
      return parse(storage().getItem(key))
    } catch {
      return null
    }
  }

  function write(all: readonly StoredUnsent[]): boolean {
    try {
      if (all.length === 0) storage().removeItem(key)
      else storage().setItem(key, JSON.stringify(all))
      return true
    } catch {
      // The storage is full or forbidden, so the messages live only as long as the tab.
      return false
    }
  }

  return {
    read,
    put: (one) => {
      const old = read()
      if (old === null) return false
      const isKnown = old.some((each) => each.draftId === one.draftId)
      return write(
        isKnown ? old.map((each) => (each.draftId === one.draftId ? one : each)) : [...old, one],
      )
    },
    drop: (draftId) => {
      const old = read()
      if (old?.some((one) => one.draftId === draftId) === true)
        write(old.filter((one) => one.draftId !== draftId))
    },
  }
}

/** Returns an empty list if the text cannot be parsed. */
function parse(text: string | null): readonly StoredUnsent[] {
  try {
    const stored = StoredList.safeParse(JSON.parse(text ?? '[]'))
    return stored.success ? stored.data : []
  } catch {
    return []
  }
}
