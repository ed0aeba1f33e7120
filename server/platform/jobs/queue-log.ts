import { Logger } from 'graphile-worker'
import type { Log } from '#server/kernel/log.ts'

/** The library's lines about each job are for debugging: the worker logs failed jobs itself. */
export function toQueueLogger(log: Log): Logger {
  return new Logger(() => (level, text) => {
    if (level === 'error' && !text.startsWith('Failed task'))
      log.warn({ queue: text }, 'the queue of jobs')
    else log.debug({ queue: text }, 'the queue of jobs')
  })
}
