import type { Log } from '#server/kernel/log.ts'

export interface Repeated {
  /** Stops after the current run has ended. */
  close(): Promise<void>
}

/** Runs one at a time. While runs fail, logs it once and retries. */
export function everySoOften(
  { log, what }: { readonly log: Pick<Log, 'warn'>; readonly what: string },
  ms: number,
  run: () => Promise<void>,
): Repeated {
  let current: Promise<void> | null = null
  let isAway = false
  const timer = setInterval(() => {
    current ??= run()
      .then(() => {
        isAway = false
      })
      .catch((error: unknown) => {
        if (!isAway) log.warn({ err: error }, what)
        isAway = true
      })
      .finally(() => {
        current = null
      })
  }, ms)
  timer.unref()
  return {
    close: async () => {
      clearInterval(timer)
      await current
    },
  }
}
