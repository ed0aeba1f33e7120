/** The order in which a serving process ends. */
import type { Door, Patience } from '#server/kernel/process/door.ts'
import type { Log } from '#server/kernel/log.ts'

/** Where no balancer is in front. */
const SHORT: Patience = { lingerMs: 0, patienceMs: 2500 }

export interface Closable {
  close(): unknown
}

export interface Closing {
  readonly door: Door
  readonly log: Log
  /** What is under way beside requests: asked to end within so many milliseconds, all at once. */
  readonly underWay: readonly ((patienceMs: number) => Promise<unknown> | undefined)[]
  /** What requests need; one after the other, when none is left. */
  readonly afterwards: readonly Closable[]
}

/** Takes nothing new, ends what is under way or cuts it in the end, then lets go of the remainder. */
export function createClosing({ door, log, underWay, afterwards }: Closing) {
  return async (patience: Patience = SHORT): Promise<void> => {
    await door.shut()
    const [cut] = await Promise.all([
      door.empty(patience),
      ...underWay.map((end) => end(patience.patienceMs)),
    ])
    if (cut > 0) log.warn({ connections: cut }, 'connections were cut at the end')
    for (const each of afterwards) await each.close()
  }
}
