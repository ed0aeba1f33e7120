/** Updates the bells of open pages. */
import { everySoOften, type Repeated } from '#server/kernel/process/every-so-often.ts'
import type { Core } from '#server/platform/core/core.ts'
import { findNoticedSince } from '#server/community/notices/settling.ts'
import { countUnreadOf } from '#server/community/notices/store.ts'

/** Without a bus, polls at this interval for what other processes settled for people connected here. */
const ELSEWHERE_MS = 4000
/** Each poll reaches back this far, because clocks differ and transactions take time. */
const OVERLAP_MS = 8000

/** Connections of the hub. */
interface Connections {
  /** People connected to this process. */
  users(): ReadonlySet<string>
  readonly clients: {
    userHere(id: string): { send(event: string, ...parameters: unknown[]): void }
  }
}

/**
 * Pushes numbers to the connected bells.
 * @param hasBus true if processes announce what they settle; otherwise it polls
 */
export function startNoticing(
  core: Pick<Core, 'db' | 'clock' | 'events' | 'log'>,
  hub: Connections,
  hasBus: boolean,
): Repeated {
  const { db, clock, events, log } = core
  const elsewhere = hasBus
    ? null
    : everySoOften({ log, what: 'bells could not be told' }, ELSEWHERE_MS, async () => {
        const people = [...hub.users()]
        if (people.length === 0) return
        const since = new Date(clock.now().getTime() - OVERLAP_MS)
        const noticed = await findNoticedSince(db, people, since)
        if (noticed.length > 0) events.receive({ type: 'notices.changed', userIds: noticed })
      })
  const bells = updateBells(core, hub)
  return {
    close: async () => {
      await Promise.all([elsewhere?.close(), bells.close()])
    },
  }
}

/**
 * Each process notifies its own connections, because workers also settle but have no hub. People notified within a
 * moment share one query instead of one for each of a thousand open pages.
 */
function updateBells(
  { db, events, log }: Pick<Core, 'db' | 'events' | 'log'>,
  hub: Connections,
): Repeated {
  const waiting = new Set<string>()
  let sending = Promise.resolve()
  const send = async () => {
    const people = [...waiting]
    waiting.clear()
    for (const { userId, unread } of await countUnreadOf(db, people))
      hub.clients.userHere(userId).send('Noticed', unread)
  }
  events.subscribe((event) => {
    if (event.type !== 'notices.changed') return
    const here = hub.users()
    const isFirst = waiting.size === 0
    for (const userId of event.userIds) if (here.has(userId)) waiting.add(userId)
    if (!isFirst || waiting.size === 0) return
    // A failed update is repeated by the next one, or when the page asks.
    sending = sending
      .then(send)
      .catch((error: unknown) => log.warn({ err: error }, 'bells could not be told'))
  })
  return { close: () => sending }
}
