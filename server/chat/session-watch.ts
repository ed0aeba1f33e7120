/**
 * Ends the hub connections of sessions and access tokens that are over. Other nodes are notified through Redis; but whatever is lost there,
 * and whatever another process does to a session, each node finds out here by itself.
 */
import type { Log } from '#server/kernel/log.ts'
import type { HubServer } from '#signalr'

/** A session that ended has no connection 5 seconds later. */
const LOOK_MS = 3000
/** Sessions in one question; of more, the next look asks for the next ones. */
const MOST_SESSIONS = 20_000

export interface SessionWatchNeeds {
  readonly hub: Pick<HubServer, 'sessions' | 'closeSessionsHere'>
  /** Of these sessions those that live, of people who may use the hub. */
  readonly findLive: (sessionIds: readonly string[]) => Promise<ReadonlySet<string>>
  readonly log: Log
}

/**
 * Asks every 3 seconds which sessions of open connections still live, and closes the connections of the others. While
 * the database is away nothing is closed. `stop` ends the asking.
 */
export function watchSessions({ hub, findLive, log }: SessionWatchNeeds): { stop(): void } {
  let isLooking = false
  let isAway = false
  let from = 0
  const look = async () => {
    const all = [...hub.sessions()]
    if (all.length === 0) return
    if (from >= all.length) from = 0
    const asked = all.slice(from, from + MOST_SESSIONS)
    from += MOST_SESSIONS
    const live = await findLive(asked)
    const ended = new Set(asked.filter((id) => !live.has(id)))
    if (ended.size > 0) hub.closeSessionsHere(ended)
  }
  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    look()
      .then(() => {
        isAway = false
      })
      .catch((error: unknown) => {
        // Without the database nobody is known to have gone: they stay, and it is logged once.
        if (!isAway)
          log.warn({ err: error }, 'the sessions of hub connections could not be checked')
        isAway = true
      })
      .finally(() => {
        isLooking = false
      })
  }, LOOK_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
