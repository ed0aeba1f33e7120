/** Small recurring work of the process that needs no queue: each is safe to run on several nodes at once. */
import type { Log } from '#server/kernel/log.ts'

const MINUTE_MS = 60_000

export interface Chores {
  /** Waits for a round that is under way. */
  stop(): Promise<void>
}

/** Runs the chores now and every minute, one after the other; what fails is logged and tried again. */
export function everyMinute(log: Log, chores: readonly (() => Promise<unknown>)[]): Chores {
  const runAll = async () => {
    for (const chore of chores) {
      try {
        await chore()
      } catch (error) {
        log.warn({ err: error }, 'a chore failed')
      }
    }
  }
  let round = runAll()
  const timer = setInterval(() => {
    round = round.then(runAll)
  }, MINUTE_MS).unref()
  return {
    stop: () => {
      clearInterval(timer)
      return round
    },
  }
}
