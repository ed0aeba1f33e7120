/**
 * Closes the hub connections of ended sessions and access tokens. Other nodes are notified through Redis; this
 * check also covers lost notifications and changes by other processes.
 */
import type { Log } from '#server/kernel/log.ts'
import type { HubServer } from '#signalr'

/** In ms: a session that has ended has no connection 5 seconds later. */
const CHECK_MS = 3000
/** Sessions per query; the next check continues with the following ones. */
const MOST_SESSIONS = 20_000

export interface SessionWatchNeeds {
  readonly hub: Pick<HubServer, 'sessions' | 'closeSessionsHere'>
  /** Returns those of these sessions that are valid and whose people may use the hub. */
  readonly findLive: (sessionIds: readonly string[]) => Promise<ReadonlySet<string>>
  readonly log: Log
}

/**
 * Checks every 3 seconds which sessions of open connections are still valid, and closes the connections of the
 * others. Closes nothing while the database is unavailable. `stop` ends the checks.
 */
export function watchSessions({ hub, findLive, log }: SessionWatchNeeds): { stop(): void } {
  let isChecking = false
  let isAway = false
  let from = 0
  const check = async () => {
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
    if (isChecking) return
    isChecking = true
    check()
      .then(() => {
        isAway = false
      })
      .catch((error: unknown) => {
        // Without the database no session is known to have ended, so all stay; this is logged once.
        if (!isAway)
          log.warn({ err: error }, 'the sessions of hub connections could not be checked')
        isAway = true
      })
      .finally(() => {
        isChecking = false
      })
  }, CHECK_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
