/**
 * Counts a rate for all nodes together in Redis, and locally while Redis is unavailable, slow or full. So a limit
 * holds across nodes without delaying calls.
 */
import { createRate, WINDOW_MS, type SharedRate } from '#server/kernel/limits/rates.ts'
import type { RedisLink } from '#signalr/redis'

/** In ms: a call waits no longer for its count; after a timeout Redis isn't used for TRY_AGAIN_MS. */
const PATIENCE_MS = 250
const TRY_AGAIN_MS = 1000

/** The key of a subject expires when the whole rate is regained, so its time to live is the count. */
const COUNT = `
local used = math.max(0, redis.call('PTTL', KEYS[1])) + ARGV[1]
if used > tonumber(ARGV[2]) then return used - ARGV[2] end
redis.call('SET', KEYS[1], '', 'PX', used)
return 0`

/** Without a link each subject is counted in this process. */
export function createSharedRate(perMinute: number, link: RedisLink | null): SharedRate {
  const own = createRate(perMinute)
  if (link === null) return own
  const cost = Math.ceil(WINDOW_MS / perMinute)
  let triesFrom = 0
  return {
    secondsToWait: async (subject) => {
      if (!link.isConnected() || performance.now() < triesFrom) return own.secondsToWait(subject)
      const key = `${link.prefix}:rate:${subject}`
      const wait = await inTime(link.client.eval(COUNT, 1, key, cost, WINDOW_MS)).catch(() => null)
      if (typeof wait === 'number') return Math.ceil(wait / 1000)
      triesFrom = performance.now() + TRY_AGAIN_MS
      return own.secondsToWait(subject)
    },
  }
}

/** @throws when it takes too long */
async function inTime<Value>(work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('Redis takes too long to count')), PATIENCE_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
