/** Numbers about all lessons: kept for a minute, counted by one call at a time. */
import type { Clock } from '#server/kernel/clock.ts'

export interface Kept<Value> {
  get(): Promise<Value>
  /** What is kept and not too old, without waiting. */
  peek(): Value | undefined
  /** After a write: where counting is cheap, the next call counts anew. */
  forget(): void
}

const KEPT_MS = 60_000
/** Up to so many lessons counting is cheap. */
const SMALL = 10_000

export function keep<Value>(
  clock: Clock,
  count: () => Promise<Value>,
  lessonsIn: (value: Value) => number,
): Kept<Value> {
  let kept: { value: Value; at: number } | undefined
  let counting: Promise<Value> | undefined
  let writes = 0

  const age = () => (kept === undefined ? Infinity : clock.now().getTime() - kept.at)
  const peek = () => (age() < KEPT_MS ? kept?.value : undefined)
  const recount = async () => {
    const at = clock.now().getTime()
    const before = writes
    const value = await count()
    // What was written meanwhile may be missing.
    kept = before !== writes && lessonsIn(value) <= SMALL ? undefined : { value, at }
    return value
  }
  return {
    peek,
    get: async () => {
      if (kept !== undefined && age() < KEPT_MS / 2) return kept.value
      counting ??= recount().finally(() => {
        counting = undefined
      })
      const old = peek()
      if (old === undefined) return counting
      // Half-old numbers serve once more while they are renewed; a failure is met by who comes after them.
      counting.catch(() => undefined)
      return old
    },
    forget: () => {
      writes += 1
      counting = undefined
      if (kept !== undefined && lessonsIn(kept.value) <= SMALL) kept = undefined
    },
  }
}
