/** Turns in this process, taken before one of the few connections to the database is. */
import { Refusal } from '#server/kernel/errors.ts'

/** Runs `act` when the subject has a free place, in the order of asking. @throws Refusal 429 when too many wait */
export type InTurn = <Value>(subject: string, act: () => Promise<Value>) => Promise<Value>

interface Line {
  running: number
  readonly waiting: (() => void)[]
}

const RETRY_SECONDS = 5

/**
 * What one person does at once waits here and not for a lock of the database: there each one that waits holds a
 * connection that everybody needs. Other processes know nothing of it, so the lock stays what counts.
 */
export function createTurns({ atOnce = 1, mostWaiting = 100 } = {}): InTurn {
  const lines = new Map<string, Line>()
  return async (subject, act) => {
    const line = lines.get(subject) ?? { running: 0, waiting: [] }
    lines.set(subject, line)
    if (line.running < atOnce) line.running += 1
    else {
      if (line.waiting.length >= mostWaiting)
        throw new Refusal(429, 'tooManyRequests', { retryAfter: RETRY_SECONDS })
      await new Promise<void>((resolve) => line.waiting.push(resolve))
    }
    try {
      return await act()
    } finally {
      const next = line.waiting.shift()
      // The place is handed on, so that nobody slips in between.
      if (next !== undefined) next()
      else if (line.running > 1) line.running -= 1
      else lines.delete(subject)
    }
  }
}
