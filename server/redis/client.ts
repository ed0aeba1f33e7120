/** A client of Redis that gives up early: nobody ever waits long for a Redis that is gone or frozen. */
import { Redis } from 'ioredis'

/** Milliseconds that an answer may take. What takes longer is broken, and the connection is opened again. */
const ANSWER_MS = 2000
/** Between two attempts to reach it. */
const LONGEST_PAUSE_MS = 500
const FIRST_PAUSE_MS = 50

/** Connects at once and again for as long as it takes; whatever can't be sent now is refused now. Give it an error listener. */
export function openRedis(url: string): Redis {
  return new Redis(url, {
    connectTimeout: ANSWER_MS,
    commandTimeout: ANSWER_MS,
    // Of a frozen server nothing comes, not even the end of the connection.
    socketTimeout: ANSWER_MS,
    disconnectTimeout: FIRST_PAUSE_MS,
    keepAlive: 10_000,
    // No queue at all: what waited would arrive too late, or would fill the memory.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    retryStrategy: (attempt) => Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * attempt),
    // A primary that became a replica takes no writes: the address may lead to the new one.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  })
}
