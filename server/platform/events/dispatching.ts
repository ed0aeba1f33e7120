/**
 * Passes stored events on to notices and webhooks. One process at a time takes them and lets each subscriber write
 * what follows in the same transaction, so each event is handled once, even if the process dies.
 */
import type { Db } from '#server/platform/db/connect.ts'
import { lockName, tryLock } from '#server/platform/db/locks.ts'
import type { Event } from '#server/platform/events/catalogue.ts'
import type { Events } from '#server/platform/events/events.ts'
import { isAnythingDue, takeDue, type Recorded } from '#server/platform/events/outbox.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Log } from '#server/kernel/log.ts'
import { everySoOften, type Repeated } from '#server/kernel/process/every-so-often.ts'

/** Writes what follows from the events. Returns what to publish after the commit. */
export type Subscriber = (
  tx: Tx,
  recorded: readonly Recorded[],
  now: Date,
) => Promise<readonly Event[]>

export interface DispatchNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly events: Pick<Events, 'publish'>
}

/** Events per transaction. */
const MOST = 500
const LOOK_MS = 500

/** Dispatches everything due. Does nothing while another process does. */
export async function dispatchEvents(
  { db, clock, events }: DispatchNeeds,
  subscribers: readonly Subscriber[],
): Promise<void> {
  for (let taken = MOST; taken === MOST;) {
    const news: Event[] = []
    taken = await db.transaction().execute(async (tx) => {
      if (!(await tryLock(tx, lockName.events))) return 0
      const now = clock.now()
      const recorded = await takeDue(tx, now, MOST)
      if (recorded.length > 0)
        for (const subscriber of subscribers) news.push(...(await subscriber(tx, recorded, now)))
      return recorded.length
    })
    for (const event of news) events.publish(event)
  }
}

/**
 * Looks twice a second for due events. That is one index lookup; a notification at each commit would make writers
 * wait for each other.
 */
export function startDispatching(
  needs: DispatchNeeds & { readonly log: Log },
  subscribers: readonly Subscriber[],
): Repeated {
  const { db, clock, log } = needs
  return everySoOften({ log, what: 'events could not be passed on' }, LOOK_MS, async () => {
    if (await isAnythingDue(db, clock.now())) await dispatchEvents(needs, subscribers)
  })
}
