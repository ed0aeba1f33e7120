/** Waiting for what a worker does at this moment. */
import { setTimeout as pause } from 'node:timers/promises'

/** Looks ten times a second, for two seconds at most; resolves when `ended` says so, or then. */
export async function waitUntilEnded(ended: () => Promise<boolean>): Promise<void> {
  for (let look = 0; look < 20; look += 1) {
    if (await ended()) return
    await pause(100)
  }
}
