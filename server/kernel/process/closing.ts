import type { Door, Patience } from '#server/kernel/process/door.ts'
import type { Log } from '#server/kernel/log.ts'

/** In ms, for sites without a load balancer. */
const SHORT: Patience = { lingerMs: 0, patienceMs: 2500 }

export interface Closable {
  close(): unknown
}

export interface Closing {
  readonly door: Door
  readonly log: Log
  /** Work that isn't a request. All of it is asked at once to end within `patienceMs`. */
  readonly underWay: readonly ((patienceMs: number) => Promise<unknown> | undefined)[]
  /** What requests need; closed one after the other when no request is left. */
  readonly afterwards: readonly Closable[]
}

/** Takes no new work, waits for running work or cuts it off in the end, then closes the rest. */
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
