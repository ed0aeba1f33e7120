/**
 * Updates the bells of open pages: each process checks twice a second for due happenings and settles them. The
 * check is one index lookup; a notification at each commit would make writers wait for each other.
 */
import type { Core } from '#server/platform/core/core.ts'
import {
  findNoticedSince,
  isAnythingDue,
  settleNotices,
} from '#server/community/notices/settling.ts'
import { countUnreadOf } from '#server/community/notices/store.ts'

const LOOK_MS = 500
/** Without a bus, polls at this interval for what other processes settled for people connected here. */
const ELSEWHERE_MS = 4000
/** Each poll reaches back this far, because clocks differ and transactions take time. */
const OVERLAP_MS = 8000

export interface Noticing {
  /** Stops after the current run has ended. */
  close(): Promise<void>
}

/** Connections of the hub. */
interface Connections {
  /** People connected to this process. */
  users(): ReadonlySet<string>
  readonly clients: {
    userHere(id: string): { send(event: string, ...parameters: unknown[]): void }
  }
}

/**
 * Starts checking, and pushes numbers to the connected bells.
 * @param hasBus true if processes announce what they settle; otherwise it polls
 */
export function startNoticing(
  core: Pick<Core, 'db' | 'clock' | 'changes' | 'log'>,
  hub: Connections,
  hasBus: boolean,
): Noticing {
  const { db, clock, changes } = core
  const settle = everySoOften(core, LOOK_MS, async () => {
    if (await isAnythingDue(db, clock.now())) await settleNotices(core)
  })
  const elsewhere = hasBus
    ? null
    : everySoOften(core, ELSEWHERE_MS, async () => {
        const people = [...hub.users()]
        if (people.length === 0) return
        const since = new Date(clock.now().getTime() - OVERLAP_MS)
        const noticed = await findNoticedSince(db, people, since)
        if (noticed.length > 0) changes.receive({ type: 'notices.changed', userIds: noticed })
      })
  const bells = updateBells(core, hub)
  return {
    close: async () => {
      await Promise.all([settle.close(), elsewhere?.close(), bells.close()])
    },
  }
}

/**
 * Each process notifies its own connections, because workers also settle but have no hub. People notified within a
 * moment share one query instead of one for each of a thousand open pages.
 */
function updateBells(
  { db, changes, log }: Pick<Core, 'db' | 'changes' | 'log'>,
  hub: Connections,
): Noticing {
  const waiting = new Set<string>()
  let sending = Promise.resolve()
  const send = async () => {
    const people = [...waiting]
    waiting.clear()
    for (const { userId, unread } of await countUnreadOf(db, people))
      hub.clients.userHere(userId).send('Noticed', unread)
  }
  changes.subscribe((event) => {
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

/** Runs one at a time. While the database is unavailable, logs it once and retries. */
function everySoOften({ log }: Pick<Core, 'log'>, ms: number, run: () => Promise<void>): Noticing {
  let current: Promise<void> | null = null
  let isAway = false
  const timer = setInterval(() => {
    current ??= run()
      .then(() => {
        isAway = false
      })
      .catch((error: unknown) => {
        if (!isAway) log.warn({ err: error }, 'notices could not be settled')
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
