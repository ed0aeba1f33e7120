/** What connects the nodes of an installation: the Redis of REDIS_URL, when there is one. */
import { randomBytes } from 'node:crypto'
import type { Config } from '#server/kernel/config.ts'
import { PartAway, type HealthPart } from '#server/kernel/process/health.ts'
import type { Log } from '#server/kernel/log.ts'
import { explainFault } from '#server/redis/faults.ts'
import { openLink, type RedisLink } from '#server/redis/link.ts'
import { readRedisUrl, RedisUrlError, type RedisSettings } from '#server/redis/settings.ts'

export interface NodesLink {
  readonly link: RedisLink
  /** How other nodes reach this one. */
  readonly nodeUrl: string
  /** For `/readyz`. */
  readonly part: HealthPart
}

/** Thrown with a sentence that names REDIS_URL. */
export class RedisError extends Error {}

/** A start waits so long for Redis, then goes on without it. */
const START_MS = 1000

/** What is missing meanwhile, for `/readyz` and the log. */
const LACKS =
  'chat messages cross between the nodes when it is back, an edit is seen at the others after 5 seconds, and each node counts rates for itself'

/**
 * Opens the link of this node; null without REDIS_URL. A Redis that is away is no reason not to start: the node is
 * alone until it comes. @throws RedisError when no waiting can mend what is wrong with the setting
 */
export async function openNodesLink(
  config: Pick<Config, 'REDIS_URL' | 'NODE_URL' | 'HOST'>,
  port: number,
  log: Log,
): Promise<NodesLink | null> {
  if (config.REDIS_URL === undefined) return null
  const nodeUrl = config.NODE_URL ?? `http://${config.HOST}:${port}`
  const settings = readRedisUrl(config.REDIS_URL)
  const link = openOrSay(settings, nodeUrl, log)
  await link.settle(START_MS)
  const wrong = link.isConnected() ? null : explainFault(settings, link.fault())
  if (wrong !== null) {
    await link.close()
    throw new RedisError(wrong)
  }
  if (!link.isConnected()) log.error({ err: link.fault() }, `redis is away: ${LACKS}`)
  link.onAway((error) =>
    log.error({ err: error }, explainFault(settings, error) ?? `redis is away: ${LACKS}`),
  )
  link.onBack(() => log.info('redis is back: whoever chats catches up'))
  return {
    link,
    nodeUrl,
    part: { name: 'redis', needed: false, check: () => check(link, settings) },
  }
}

function openOrSay(settings: RedisSettings, nodeUrl: string, log: Log): RedisLink {
  try {
    return openLink({
      settings,
      node: randomBytes(9).toString('base64url'),
      heartbeat: nodeUrl,
      report: (error, channel) =>
        log.error({ err: error, channel }, 'a message of another node was not understood'),
    })
  } catch (error) {
    throw error instanceof RedisUrlError
      ? new RedisError(`REDIS_URL must ${error.message}.`)
      : error
  }
}

async function check(link: RedisLink, settings: RedisSettings): Promise<void> {
  try {
    await link.check()
  } catch (error) {
    // What is wrong with the settings names servers, which strangers need not know: that stands in the log.
    const isWrong = explainFault(settings, error) !== null
    const what = isWrong ? 'does not work as REDIS_URL says (see the log)' : 'does not answer'
    throw new PartAway(`${what}: ${LACKS}`, { cause: error })
  }
}
