/** The queue's log lines in ours. */
import { Logger } from 'graphile-worker'
import type { Log } from '#server/kernel/log.ts'

/** What the queue tells of each job is for debugging only; its failures are told by the worker. */
export function toQueueLogger(log: Log): Logger {
  return new Logger(() => (level, text) => {
    if (level === 'error' || level === 'warning') log.warn({ queue: text }, 'the queue of jobs')
    else log.debug({ queue: text }, 'the queue of jobs')
  })
}
