/**
 * Counts the calls of an address for all nodes together in Redis, and locally while Redis is unavailable, slow or
 * full. So a limit holds across nodes without delaying calls.
 */
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import { BoundedMap } from '#server/kernel/bounded-map.ts'
import type { RedisLink } from '#signalr/redis'

/** In ms: a call waits no longer for its count; after a timeout Redis isn't used for TRY_AGAIN_MS. */
const PATIENCE_MS = 250
const TRY_AGAIN_MS = 1000
/** Addresses in a node's own memory. */
const MOST_ADDRESSES = 20_000

/** A script, so that the count and its expiry are set together. */
const COUNT = `
local current = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return {current, left}`

interface Count {
  /** Calls including this one. */
  readonly current: number
  /** Milliseconds until the count restarts. */
  readonly ttl: number
}

/**
 * Returns the store of the rate limiter; undefined without a link selects the library's own, which counts in this
 * process.
 */
export function createSharedCounts(link: RedisLink | null): FastifyRateLimitStoreCtor | undefined {
  if (link === null) return undefined
  const own = createOwnCounts()
  let triesFrom = 0
  const count = async (key: string, windowMs: number): Promise<Count> => {
    if (!link.isConnected() || performance.now() < triesFrom) return own(key, windowMs)
    const asked = link.client.eval(COUNT, 1, `${link.prefix}:calls:${key}`, windowMs)
    const answer = await inTime(asked).catch(() => null)
    const [current, ttl] = Array.isArray(answer) ? answer.map(Number) : []
    if (current !== undefined && ttl !== undefined) return { current, ttl }
    triesFrom = performance.now() + TRY_AGAIN_MS
    return own(key, windowMs)
  }
  return class implements FastifyRateLimitStore {
    incr(
      key: string,
      answer: (error: Error | null, result?: Count) => void,
      timeWindow: number,
    ): void {
      count(key, timeWindow).then(
        (counted) => answer(null, counted),
        (error: Error) => answer(error),
      )
    }

    child(): this {
      return this
    }
  }
}

function createOwnCounts() {
  const counts = new BoundedMap<string, { current: number; readonly until: number }>({
    most: MOST_ADDRESSES,
  })
  return (key: string, windowMs: number): Count => {
    const now = performance.now()
    const known = counts.get(key)
    const entry =
      known !== undefined && known.until > now ? known : { current: 0, until: now + windowMs }
    entry.current += 1
    counts.set(key, entry)
    return { current: entry.current, ttl: entry.until - now }
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
