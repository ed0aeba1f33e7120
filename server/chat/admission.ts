/** Bounds on hub connections and negotiations, by person and by address. Counted in the memory of each node. */
import type { IncomingMessage } from 'node:http'
import { HUB_CONNECTIONS, NEGOTIATIONS_A_MINUTE } from '#contract/limits.ts'
import { networkOf } from '#server/kernel/network.ts'
import { addressOf } from '#server/kernel/http/address.ts'
import type { Admission, Wait } from '#signalr'
import { createRate } from '#server/kernel/queues/rates.ts'

/** Somebody with too many connections hears in so many seconds whether one has ended. */
const FULL_SECONDS = 15

/** `proxies`: the trusted ones, as TRUST_PROXY has them. `now`: milliseconds of a clock that never goes back. */
export function createAdmission(proxies: number, now = () => performance.now()): Admission {
  const negotiations = createRate(NEGOTIATIONS_A_MINUTE, now)
  const rate = (key: string): Wait | null => {
    const seconds = negotiations.secondsToWait(key)
    return seconds > 0 ? { seconds } : null
  }
  const connections = new Map<string, number>()
  const keyOf = (request: IncomingMessage) => `address:${networkOf(addressOf(request, proxies))}`
  const add = (key: string, change: number) => {
    const count = (connections.get(key) ?? 0) + change
    if (count > 0) connections.set(key, count)
    else connections.delete(key)
  }
  return {
    knock: (request) => rate(keyOf(request)),
    enter: (request, user) => {
      const keys = [keyOf(request), ...(user === null ? [] : [`person:${user.id}`])]
      const wait = user === null ? null : rate(`person:${user.id}`)
      if (wait !== null) return wait
      if (keys.some((key) => (connections.get(key) ?? 0) >= HUB_CONNECTIONS))
        return { seconds: FULL_SECONDS }
      for (const key of keys) add(key, 1)
      return () => {
        for (const key of keys) add(key, -1)
      }
    },
  }
}
