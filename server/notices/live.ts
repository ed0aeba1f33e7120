/**
 * What makes bells move: this process looks twice a second whether something is due, and settles it. A look is one
 * probe of an index; told at each commit instead, those that write would wait for each other.
 */
import type { Core } from '#server/kernel/core.ts'
import { findNoticedSince, isAnythingDue, settleNotices } from '#server/notices/settling.ts'

const LOOK_MS = 500
/** Without a bus, what other processes have settled is looked for so often, for those who are connected here. */
const ELSEWHERE_MS = 4000
/** Clocks of processes differ a little, and transactions take their time: so far back each look reaches. */
const OVERLAP_MS = 8000

export interface Noticing {
  /** Stops when what is under way has ended. */
  close(): Promise<void>
}

interface Connected {
  /** Whose connections this process holds. */
  users(): ReadonlySet<string>
}

/** Begins to look. `connected`: null where a bus says what other processes settle. */
export function startNoticing(
  core: Pick<Core, 'db' | 'clock' | 'changes' | 'log'>,
  connected: Connected | null,
): Noticing {
  const { db, clock, changes } = core
  const settle = everySoOften(core, LOOK_MS, async () => {
    if (await isAnythingDue(db, clock.now())) await settleNotices(core)
  })
  const elsewhere =
    connected === null
      ? null
      : everySoOften(core, ELSEWHERE_MS, async () => {
          const people = [...connected.users()]
          if (people.length === 0) return
          const since = new Date(clock.now().getTime() - OVERLAP_MS)
          const noticed = await findNoticedSince(db, people, since)
          if (noticed.length > 0) changes.receive({ kind: 'noticed', userIds: noticed })
        })
  return {
    close: async () => {
      await Promise.all([settle.close(), elsewhere?.close()])
    },
  }
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
