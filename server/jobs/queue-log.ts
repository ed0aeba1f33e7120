/** The queue's log lines in ours. */
import { Logger } from 'graphile-worker'
import type { Log } from '#server/kernel/log.ts'

/** What it says of each job is for debugging only: the worker logs jobs that fail. */
export function toQueueLogger(log: Log): Logger {
  return new Logger(() => (level, text) => {
    if (level === 'error' && !text.startsWith('Failed task'))
      log.warn({ queue: text }, 'the queue of jobs')
    else log.debug({ queue: text }, 'the queue of jobs')
  })
}
