/** Unsent messages that outlive the tab: in this browser, under the person's id, until the server has them. */
import * as z from 'zod/mini'

const Kept = z.array(
  z.object({
    draftId: z.string(),
    text: z.string(),
    date: z.string(),
    triedAfter: z.nullable(z.number()),
  }),
)

/** What is kept of an unsent message (see `Unsent`). */
export type KeptUnsent = z.infer<typeof Kept>[number]

/** Tabs share it: each step reads anew what is there. */
export interface UnsentStore {
  /** Oldest first; null: nothing can be kept here. */
  readonly read: () => readonly KeptUnsent[] | null
  /** Adds it or writes it anew in its place. False: it could not be kept. */
  readonly put: (one: KeptUnsent) => boolean
  readonly drop: (draftId: string) => void
}

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

/** `kb:{person}:chat:{other}`, both by id: cleared at logout with everything else of that person. */
export function keepUnsent(storage: () => Storage, personId: string, otherId: string): UnsentStore {
  const key = `kb:${personId}:chat:${otherId}`

  function read(): readonly KeptUnsent[] | null {
    try {
      return parse(storage().getItem(key))
    } catch {
      return null
    }
  }

  function write(all: readonly KeptUnsent[]): boolean {
    try {
      if (all.length === 0) storage().removeItem(key)
      else storage().setItem(key, JSON.stringify(all))
      return true
    } catch {
      // Full or forbidden storage: they live as long as the tab.
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

/** What can't be read is nothing. */
function parse(text: string | null): readonly KeptUnsent[] {
  try {
    const kept = Kept.safeParse(JSON.parse(text ?? '[]'))
    return kept.success ? kept.data : []
  } catch {
    return []
  }
}
