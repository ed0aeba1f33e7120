import { setTimeout as pause } from 'node:timers/promises'

/** Polls `ended` ten times a second, for at most two seconds. */
export async function waitUntilEnded(ended: () => Promise<boolean>): Promise<void> {
  for (let look = 0; look < 20; look += 1) {
    if (await ended()) return
    await pause(100)
  }
}
