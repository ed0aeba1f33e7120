/** Connects the nodes of an installation through the Redis of REDIS_URL, if configured. */
import type { Config } from '#server/kernel/config.ts'
import { PartAway, type HealthPart } from '#server/kernel/process/health.ts'
import type { Log } from '#server/kernel/log.ts'
import { openRedis } from '#server/platform/redis/client.ts'
import { explainFault } from '#server/platform/redis/faults.ts'
import {
  readRedisUrl,
  RedisUrlError,
  type RedisSettings,
} from '#server/kernel/settings/redis-settings.ts'
import { createRedisLink, type RedisLink } from '#signalr/redis'

export interface NodesLink {
  readonly link: RedisLink
  /** The URL by which other nodes reach this one; for a worker its name. */
  readonly nodeUrl: string
  /** For `/readyz`. */
  readonly part: HealthPart
  /** Closes the link and its connections. */
  close(this: void): Promise<void>
}

/** Its message names REDIS_URL. */
export class RedisError extends Error {}

/** In ms: a start waits this long for Redis, then continues without it. */
const START_MS = 1000

/** What doesn't work meanwhile, for `/readyz` and the log. */
const WITHOUT_REDIS =
  'chat messages cross between the nodes when it is back, an edit is seen at the others after 5 seconds, and each node counts rates for itself'

/** Returns the URL by which other nodes reach the one that listens on this port. */
export const nodeUrlOf = (config: Pick<Config, 'NODE_URL' | 'HOST'>, port: number): string =>
  config.NODE_URL ?? `http://${config.HOST}:${port}`

const WITHOUT_WRITES =
  'each node counts rates for itself. Look at its replicas (min-replicas-to-write) and its memory (maxmemory)'

/** Returns the error code with which Redis refused. */
const wordOf = (error: unknown) => (error instanceof Error ? error.message.split(' ')[0] : '')

/**
 * Opens the link of this process, which others know as `nodeUrl`; null without REDIS_URL. With an unavailable
 * Redis the process starts anyway and is alone until Redis comes. @throws RedisError when the setting is wrong and
 * waiting can't help
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
  if (!link.isConnected()) log.error({ err: link.fault() }, `redis is away: ${WITHOUT_REDIS}`)
  link.onAway((error) =>
    log.error({ err: error }, explainFault(settings, error) ?? `redis is away: ${WITHOUT_REDIS}`),
  )
  link.onBack(() => log.info('redis is back: whoever chats catches up'))
  return {
    link,
    nodeUrl,
    part: {
      name: 'redis',
      needed: false,
      silent: `does not answer: ${WITHOUT_REDIS}`,
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
      throw new PartAway(`takes no writes (${wordOf(error)}): ${WITHOUT_WRITES}`, { cause: error })
    // Faults of the settings name servers, which only the log may contain.
    const isWrong = explainFault(settings, error) !== null
    const what = isWrong ? 'does not work as REDIS_URL says (see the log)' : 'does not answer'
    throw new PartAway(`${what}: ${WITHOUT_REDIS}`, { cause: error })
  }
}
