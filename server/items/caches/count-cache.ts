/** Numbers about all items of a kind: cached for a minute, counted by one scan of the table at a time. */
import type { Clock } from '#server/kernel/clock.ts'

export interface CountCache<Value> {
  /** The cached value while it is fresh, else a counted one. @throws what counting throws */
  get(): Promise<Value>
  /** What is cached and not too old, without waiting. */
  peek(): Value | undefined
  /** After a write: where counting is cheap, the next call counts again. */
  forget(): void
}

const CACHED_MS = 60_000
/** At half of that age a value serves once more while it is renewed. */
const FRESH_MS = CACHED_MS / 2
/** Up to so many items counting is cheap, and a value grows no older than a second: other nodes may have written. */
const SMALL = 10_000
const SMALL_MS = 1000

/**
 * `count` scans the table, `itemsIn` says how many items a counted value is about. Never more than one scan runs:
 * calls that come after a write share the scan that follows the present one, however many they are.
 */
export function createCountCache<Value>(
  clock: Clock,
  count: () => Promise<Value>,
  itemsIn: (value: Value) => number,
): CountCache<Value> {
  let cached: { value: Value; at: number } | undefined
  let running: { readonly writes: number; readonly scan: Promise<Value> } | undefined
  let following: Promise<Value> | undefined
  let writes = 0

  const isSmall = () => cached !== undefined && itemsIn(cached.value) <= SMALL
  const isFresh = () => age() < (isSmall() ? SMALL_MS : FRESH_MS)
  const age = () => (cached === undefined ? Infinity : clock.now().getTime() - cached.at)
  const peek = () => (age() < CACHED_MS ? cached?.value : undefined)
  const scan = async () => {
    const at = clock.now().getTime()
    const before = writes
    const value = await count()
    // What was written meanwhile may be missing.
    cached = before !== writes && itemsIn(value) <= SMALL ? undefined : { value, at }
    return value
  }
  const recount = (): Promise<Value> => {
    if (running === undefined) {
      const begun = scan().finally(() => {
        running = undefined
      })
      running = { writes, scan: begun }
      return begun
    }
    if (running.writes === writes) return running.scan
    // It began before the last write and may miss it, so this call waits for the next one.
    following ??= running.scan
      .catch(() => undefined)
      .then(() => {
        following = undefined
        return cached !== undefined && isFresh() ? cached.value : recount()
      })
    return following
  }
  return {
    peek,
    get: async () => {
      if (cached !== undefined && isFresh()) return cached.value
      const counted = recount()
      const old = peek()
      if (old === undefined || isSmall()) return counted
      // A failure is met by who comes when nothing is cached any more.
      counted.catch(() => undefined)
      return old
    },
    forget: () => {
      writes += 1
      if (isSmall()) cached = undefined
    },
  }
}
