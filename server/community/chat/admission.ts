/** Limits the hub's connections, requests and calls by person and by network, in the memory of each node. */
import type { IncomingMessage } from 'node:http'
import {
  HUB_CALLS_A_MINUTE,
  HUB_CONNECTIONS,
  HUB_REQUESTS_A_MINUTE,
  NEGOTIATIONS_A_MINUTE,
} from '#contract/limits.ts'
import { addressOf } from '#server/kernel/http/address.ts'
import { networkOf } from '#server/kernel/network.ts'
import { Queue } from '#server/kernel/limits/queue.ts'
import { createRate, type Rate } from '#server/kernel/limits/rates.ts'
import { chooseLocale, translate } from '#server/kernel/text/messages.ts'
import type { Admission, Wait } from '#signalr'

/** Retry-After in seconds for somebody with too many connections. */
const FULL_SECONDS = 15

/** `proxies` is the number of trusted proxies (TRUST_PROXY). `now` returns ms of a monotonic clock. */
export function createAdmission(proxies: number, now = () => performance.now()): Admission {
  const rates = (limit: { person: number; network: number }) => ({
    person: createRate(limit.person, {}, now),
    network: createRate(limit.network, {}, now),
  })
  const negotiations = rates(NEGOTIATIONS_A_MINUTE)
  const calls = rates(HUB_CALLS_A_MINUTE)
  const requests = createRate(HUB_REQUESTS_A_MINUTE, {}, now)
  const people = new Queue({ atOnce: { each: HUB_CONNECTIONS.person } })
  const networks = new Queue({ atOnce: { each: HUB_CONNECTIONS.network } })
  const networkAt = (request: IncomingMessage) => networkOf(addressOf(request, proxies))
  return {
    knock: (request) => waitFor(negotiations.network, networkAt(request)),
    request: (request) => waitFor(requests, networkAt(request)),
    enter: (request, user) => {
      const network = networkAt(request)
      const person = user?.id ?? null
      const wait = person === null ? null : waitFor(negotiations.person, person)
      if (wait !== null) return wait
      if (!networks.hasRoom(network) || (person !== null && !people.hasRoom(person)))
        return { seconds: FULL_SECONDS }
      const leaveNetwork = networks.take(network)
      const leavePerson = person === null ? null : people.take(person)
      const language = request.headers['accept-language']
      return {
        leave: () => {
          leaveNetwork()
          leavePerson?.()
        },
        call: () => {
          const refused =
            (person === null ? null : waitFor(calls.person, person)) ??
            waitFor(calls.network, network)
          if (refused === null) return null
          const locale = chooseLocale(null, undefined, language)
          return { ...refused, text: translate(locale, 'tooManyRequests') }
        },
      }
    },
  }
}

function waitFor(rate: Rate, subject: string): Wait | null {
  const seconds = rate.secondsToWait(subject)
  return seconds > 0 ? { seconds } : null
}
