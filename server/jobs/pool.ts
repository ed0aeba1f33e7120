/** Connections for the queue. */
import type pg from 'pg'
import type { Log } from '#server/kernel/log.ts'

/** Broken connections are replaced by the pool; an error that nobody listens for would end the process. */
export function logLostConnections(pool: pg.Pool, log: Log): void {
  // Of connections that are closing at the end nobody needs to hear.
  const lost = (error: Error) => {
    if (!pool.ending) log.warn({ error: error.message }, 'database connection lost')
  }
  pool.on('error', lost)
  // While it is in use an error also comes to who uses it.
  pool.on('connect', (client) => client.on('error', lost))
}
