/** Caches responses that are the same for everybody, until something that they show changes. */
import { BoundedMap } from '#server/kernel/bounded-map.ts'
import type { Clock } from '#server/kernel/clock.ts'

export interface AnswerCache<Value> {
  /**
   * Returns the cached response while it is fresh, or else the result of `read`; concurrent calls share one read.
   * @throws what `read` throws
   */
  load(key: string, read: () => Promise<Value>): Promise<Value>
  /** Returns the cached response while it is fresh. */
  peek(key: string): Value | undefined
  /**
   * Call it before reading a response. The returned function stores the response, unless `drop` was called
   * meanwhile, because the response may then be outdated.
   */
  begin(): (key: string, value: Value) => void
  /** Drops the responses that a write has changed; all of them without `isChanged`. */
  drop(isChanged?: (value: Value, key: string) => boolean): void
}

interface Bounds<Value> {
  /** The maximum number of responses, or of their sizes with `sizeOf`. The least recently used go first. */
  readonly most: number
  readonly sizeOf?: (value: Value) => number
  /** The maximum age in ms. It bounds how long writes of other nodes go unnoticed. */
  readonly freshMs: number
}

export function createAnswerCache<Value>(
  clock: Clock,
  { most, sizeOf = () => 1, freshMs }: Bounds<Value>,
): AnswerCache<Value> {
  const entries = new BoundedMap<string, { readonly value: Value; readonly at: number }>({
    most,
    sizeOf: ({ value }) => sizeOf(value),
  })
  const pending = new Map<string, Promise<Value>>()
  // A read that began before a write may miss it, so its result is returned but not cached.
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
    // A negative age means that the clock was set back, so the entry is not used.
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
