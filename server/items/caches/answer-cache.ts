/** Answers that are the same for all who ask, for as long as nothing that they show has changed. */
import { BoundedMap } from '#server/kernel/bounded-map.ts'
import type { Clock } from '#server/kernel/clock.ts'

export interface AnswerCache<Value> {
  /**
   * The cached answer while it is fresh, else what `read` gives; calls at the same time share one reading. @throws what
   * `read` throws
   */
  load(key: string, read: () => Promise<Value>): Promise<Value>
  /** The cached answer while it is fresh. */
  peek(key: string): Value | undefined
  /**
   * To be called before an answer is read. What it gives stores the answer, unless something was dropped meanwhile: what
   * was read may miss that.
   */
  begin(): (key: string, value: Value) => void
  /** Forgets the answers that a write has changed; all of them unless it is said which. */
  drop(isChanged?: (value: Value, key: string) => boolean): void
}

interface Bounds<Value> {
  /** Answers in memory, or with `sizeOf` the sum of their sizes; the least recently used go first. */
  readonly most: number
  readonly sizeOf?: (value: Value) => number
  /** What other nodes write is not heard of here, so an answer grows no older than this. */
  readonly freshMs: number
}

/** An empty cache. */
export function createAnswerCache<Value>(
  clock: Clock,
  { most, sizeOf = () => 1, freshMs }: Bounds<Value>,
): AnswerCache<Value> {
  const entries = new BoundedMap<string, { readonly value: Value; readonly at: number }>({
    most,
    sizeOf: ({ value }) => sizeOf(value),
  })
  const pending = new Map<string, Promise<Value>>()
  // What was begun before a write may miss it: it answers who asked before, and is not cached.
  let writes = 0

  const begin = () => {
    const before = writes
    const at = clock.now().getTime()
    return (key: string, value: Value) => {
      if (before === writes) entries.set(key, { value, at })
    }
  }
  const peek = (key: string): Value | undefined => {
    const entry = entries.get(key)
    const age = entry === undefined ? Infinity : clock.now().getTime() - entry.at
    // A clock that was set back makes nothing older than it is.
    return age >= 0 && age < freshMs ? entry?.value : undefined
  }
  const readShared = (key: string, read: () => Promise<Value>): Promise<Value> => {
    const store = begin()
    const reading = read()
      .then((value) => {
        store(key, value)
        return value
      })
      .finally(() => {
        if (pending.get(key) === reading) pending.delete(key)
      })
    pending.set(key, reading)
    return reading
  }
  return {
    load: async (key, read) => peek(key) ?? pending.get(key) ?? readShared(key, read),
    peek,
    begin,
    drop: (isChanged = () => true) => {
      writes += 1
      pending.clear()
      for (const [key, { value }] of entries.entries())
        if (isChanged(value, key)) entries.delete(key)
    },
  }
}
