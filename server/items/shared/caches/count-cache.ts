/** Caches numbers about all items of a kind for a minute. Only one scan of the table runs at a time. */
import type { Clock } from '#server/kernel/clock.ts'

export interface CountCache<Value> {
  /** Returns the cached value while it is fresh, or else counts. @throws what counting throws */
  get(): Promise<Value>
  /** Returns the cached value if it isn't too old, without waiting. */
  peek(): Value | undefined
  /** Call it after a write. Where counting is cheap, the next call counts again. */
  forget(): void
}

const CACHED_MS = 60_000
/** From this age a value is returned once more while it is counted again. */
const FRESH_MS = CACHED_MS / 2
/** Up to this number counting is cheap, so a value expires after SMALL_MS: other nodes may have written. */
const SMALL = 10_000
const SMALL_MS = 1000

/**
 * Never runs more than one scan: all calls after a write share the scan that follows the running one.
 * @param count scans the table
 * @param itemsIn returns the number of items in a counted value
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
    // The value may miss writes that happened during the scan.
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
    // The running scan began before the last write and may miss it, so this call waits for the next one.
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
      // The caller gets the old value, so a failure here is ignored; it reaches the next caller without a cached
      // value.
      counted.catch(() => undefined)
      return old
    },
    forget: () => {
      writes += 1
      if (isSmall()) cached = undefined
    },
  }
}
