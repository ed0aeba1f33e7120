/** What connects the nodes of an installation: the Redis of REDIS_URL, when there is one. */
import type { Config } from '#server/kernel/config.ts'
import { PartAway, type HealthPart } from '#server/kernel/process/health.ts'
import type { Log } from '#server/kernel/log.ts'
import { openRedis } from '#server/redis/client.ts'
import { explainFault } from '#server/redis/faults.ts'
import { readRedisUrl, RedisUrlError, type RedisSettings } from '#server/redis/settings.ts'
import { createRedisLink, type RedisLink } from '#signalr/redis'

export interface NodesLink {
  readonly link: RedisLink
  /** How other nodes reach this one; of a worker, which nobody calls, its name. */
  readonly nodeUrl: string
  /** For `/readyz`. */
  readonly part: HealthPart
  /** Closes the link and its connections. */
  close(this: void): Promise<void>
}

/** Thrown with a sentence that names REDIS_URL. */
export class RedisError extends Error {}

/** A start waits so long for Redis, then goes on without it. */
const START_MS = 1000

/** What is missing meanwhile, for `/readyz` and the log. */
const LACKS =
  'chat messages cross between the nodes when it is back, an edit is seen at the others after 5 seconds, and each node counts rates for itself'

/** How other nodes reach the one that listens on this port. */
export const nodeUrlOf = (config: Pick<Config, 'NODE_URL' | 'HOST'>, port: number): string =>
  config.NODE_URL ?? `http://${config.HOST}:${port}`

const LACKS_WRITES =
  'each node counts rates for itself. Look at its replicas (min-replicas-to-write) and its memory (maxmemory)'

/** With which word Redis refused. */
const wordOf = (error: unknown) => (error instanceof Error ? error.message.split(' ')[0] : '')

/**
 * Opens the link of this process, which others know as `nodeUrl`; null without REDIS_URL. A Redis that is away is no reason not to start: the node is
 * alone until it comes. @throws RedisError when no waiting can mend what is wrong with the setting
 */
export async function openNodesLink(
  { REDIS_URL }: Pick<Config, 'REDIS_URL'>,
  nodeUrl: string,
  log: Log,
): Promise<NodesLink | null> {
  if (REDIS_URL === undefined) return null
  const settings = readRedisUrl(REDIS_URL)
  const { link, close } = openOrSay(settings, nodeUrl, log)
  await link.settle(START_MS)
  const wrong = link.isConnected() ? null : explainFault(settings, link.fault())
  if (wrong !== null) {
    await close()
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
    part: {
      name: 'redis',
      needed: false,
      silent: `does not answer: ${LACKS}`,
      check: () => check(link, settings),
    },
    close,
  }
}

function openOrSay(settings: RedisSettings, nodeUrl: string, log: Log) {
  try {
    const client = openRedis(settings)
    const link = createRedisLink({
      client,
      address: nodeUrl,
      prefix: settings.prefix,
      onFault: (error, channel) =>
        log.error({ err: error, channel }, 'a message of another node was not understood'),
    })
    const close = async () => {
      await link.close()
      client.disconnect()
    }
    return { link, close }
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
    if (error === link.refusal())
      throw new PartAway(`takes no writes (${wordOf(error)}): ${LACKS_WRITES}`, { cause: error })
    // What is wrong with the settings names servers, which strangers need not know: that stands in the log.
    const isWrong = explainFault(settings, error) !== null
    const what = isWrong ? 'does not work as REDIS_URL says (see the log)' : 'does not answer'
    throw new PartAway(`${what}: ${LACKS}`, { cause: error })
  }
}
