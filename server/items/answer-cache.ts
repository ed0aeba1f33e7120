/** Answers that are the same for all who ask, for as long as nothing that they show has changed. */
import { BoundedMap } from '#server/kernel/bounded-map.ts'
import type { Clock } from '#server/kernel/clock.ts'

export interface AnswerCache<Value> {
  /**
   * The cached answer while it is fresh, else what `read` gives; calls at the same time share one reading. @throws what
   * `read` throws
   */
  load(key: string, read: () => Promise<Value>): Promise<Value>
  /** Forgets the answers that a write has changed; all of them unless it is said which. */
  drop(isChanged?: (value: Value, key: string) => boolean): void
}

interface Bounds {
  /** Answers in memory; the least recently used go first. */
  readonly most: number
  /** What other nodes write is not heard of here, so an answer grows no older than this. */
  readonly freshMs: number
}

/** An empty cache. */
export function createAnswerCache<Value>(
  clock: Clock,
  { most, freshMs }: Bounds,
): AnswerCache<Value> {
  const entries = new BoundedMap<string, { readonly value: Value; readonly at: number }>({ most })
  const pending = new Map<string, Promise<Value>>()
  // What was begun before a write may miss it: it answers who asked before, and is not cached.
  let writes = 0

  const begin = (key: string, read: () => Promise<Value>): Promise<Value> => {
    const before = writes
    const at = clock.now().getTime()
    const reading = read()
      .then((value) => {
        if (before === writes) entries.set(key, { value, at })
        return value
      })
      .finally(() => {
        if (pending.get(key) === reading) pending.delete(key)
      })
    pending.set(key, reading)
    return reading
  }
  return {
    load: async (key, read) => {
      const entry = entries.get(key)
      const age = entry === undefined ? Infinity : clock.now().getTime() - entry.at
      // A clock that was set back makes nothing older than it is.
      if (entry !== undefined && age >= 0 && age < freshMs) return entry.value
      return pending.get(key) ?? begin(key, read)
    },
    drop: (isChanged = () => true) => {
      writes += 1
      pending.clear()
      for (const [key, { value }] of entries.entries())
        if (isChanged(value, key)) entries.delete(key)
    },
  }
}
