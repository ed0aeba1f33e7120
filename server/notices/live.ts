/**
 * What makes bells move: this process looks twice a second whether something is due, and settles it. A look is one
 * probe of an index; told at each commit instead, those that write would wait for each other.
 */
import type { Core } from '#server/kernel/core.ts'
import { findNoticedSince, isAnythingDue, settleNotices } from '#server/notices/settling.ts'
import { countUnreadOf } from '#server/notices/store.ts'

const LOOK_MS = 500
/** Without a bus, what other processes have settled is looked for so often, for those who are connected here. */
const ELSEWHERE_MS = 4000
/** Clocks of processes differ a little, and transactions take their time: so far back each look reaches. */
const OVERLAP_MS = 8000

export interface Noticing {
  /** Stops when what is under way has ended. */
  close(): Promise<void>
}

/** Of the hub. */
interface Connections {
  /** Whose connections this process holds. */
  users(): ReadonlySet<string>
  readonly clients: {
    userHere(id: string): { send(event: string, ...parameters: unknown[]): void }
  }
}

/**
 * Begins to look, and to tell the connections of this process the numbers of their bells.
 * @param hasBus processes say to each other what they settle; else it is looked for
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
        if (noticed.length > 0) changes.receive({ kind: 'noticed', userIds: noticed })
      })
  const bells = tellBells(core, hub)
  return {
    close: async () => {
      await Promise.all([settle.close(), elsewhere?.close(), bells.close()])
    },
  }
}

/**
 * Each process tells its own connections, because those that only work settle too, and have no hub. The numbers of all
 * who were told of something within a moment are one question; a thousand open pages would ask a thousand.
 */
function tellBells(
  { db, changes, log }: Pick<Core, 'db' | 'changes' | 'log'>,
  hub: Connections,
): Noticing {
  const waiting = new Set<string>()
  let telling = Promise.resolve()
  const tell = async () => {
    const people = [...waiting]
    waiting.clear()
    for (const { userId, unread } of await countUnreadOf(db, people))
      hub.clients.userHere(userId).send('Noticed', unread)
  }
  changes.subscribe((change) => {
    if (change.kind !== 'noticed') return
    const here = hub.users()
    const isFirst = waiting.size === 0
    for (const userId of change.userIds) if (here.has(userId)) waiting.add(userId)
    if (!isFirst || waiting.size === 0) return
    // What fails is told with the next one, or when the page asks.
    telling = telling
      .then(tell)
      .catch((error: unknown) => log.warn({ err: error }, 'bells could not be told'))
  })
  return { close: () => telling }
}

/** One run at a time. While the database is away that is logged once, and tried on. */
function everySoOften({ log }: Pick<Core, 'log'>, ms: number, run: () => Promise<void>): Noticing {
  let underWay: Promise<void> | null = null
  let isAway = false
  const timer = setInterval(() => {
    underWay ??= run()
      .then(() => {
        isAway = false
      })
      .catch((error: unknown) => {
        if (!isAway) log.warn({ err: error }, 'notices could not be settled')
        isAway = true
      })
      .finally(() => {
        underWay = null
      })
  }, ms)
  timer.unref()
  return {
    close: async () => {
      clearInterval(timer)
      await underWay
    },
  }
}
