/** Queues in this process, entered before taking one of the few database connections. */
import { Refusal } from '#server/kernel/errors.ts'

/** Runs `act` in order when the subject has a free slot. @throws Refusal 429 when too many wait, 503 after a long wait */
export type InTurn = <Value>(subject: string, act: () => Promise<Value>) => Promise<Value>

interface Line {
  running: number
  readonly waiting: (() => void)[]
}

const RETRY_SECONDS = 5
const LONGEST_MS = 20_000

/**
 * A person's concurrent calls wait here instead of for a lock of the database, where each would hold a connection
 * that everybody needs. Other processes don't share the queue, so the lock still decides. If each call waits in vain
 * for a lock, those that have waited longer than `longestMs` are refused, so that the queue drains at once.
 */
export function createTurns({
  atOnce = 1,
  mostWaiting = 100,
  longestMs = LONGEST_MS,
} = {}): InTurn {
  const lines = new Map<string, Line>()
  return async (subject, act) => {
    const askedAt = performance.now()
    const line = lines.get(subject) ?? { running: 0, waiting: [] }
    lines.set(subject, line)
    if (line.running < atOnce) line.running += 1
    else {
      if (line.waiting.length >= mostWaiting)
        throw new Refusal(429, 'tooManyRequests', { retryAfter: RETRY_SECONDS })
      await new Promise<void>((resolve) => line.waiting.push(resolve))
    }
    try {
      if (performance.now() - askedAt > longestMs)
        throw new Refusal(503, 'unavailable', { retryAfter: RETRY_SECONDS })
      return await act()
    } finally {
      const next = line.waiting.shift()
      // Hands the slot on directly, so that no new call can take it in between.
      if (next !== undefined) next()
      else if (line.running > 1) line.running -= 1
      else lines.delete(subject)
    }
  }
}
