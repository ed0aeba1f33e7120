/** What connects the nodes of an installation for the chat: a Redis, when there is one. */
import type { Config } from '#server/kernel/config.ts'
import { PartAway } from '#server/kernel/process/health.ts'
import type { Log } from '#server/kernel/log.ts'
import type { Backplane } from '#server/signalr/backplane/backplane.ts'
import { createNodeName } from '#server/signalr/connections/connection-server.ts'
import { createRedisBackplane } from '#server/signalr/backplane/redis-backplane.ts'

export interface ChatBackplane {
  readonly backplane: Backplane
  /** @throws PartAway when Redis does not answer */
  check(): Promise<unknown>
  close(): Promise<void>
}

/** A start waits so long for Redis, then goes on without it. */
const START_MS = 1000

/** For `/readyz`. */
const AWAY = 'does not answer: chat messages cross between the nodes when it is back'

/** Opens the backplane of this node. Null without REDIS_URL. A Redis that is away is no reason not to start: the node is alone until it comes. */
export async function openBackplane(
  config: Pick<Config, 'REDIS_URL' | 'NODE_URL' | 'HOST'>,
  port: number,
  log: Log,
): Promise<ChatBackplane | null> {
  if (config.REDIS_URL === undefined) return null
  const backplane = createRedisBackplane({
    url: config.REDIS_URL,
    node: createNodeName(),
    nodeUrl: config.NODE_URL ?? `http://${config.HOST}:${port}`,
    prefix: 'kb:chat',
    onAway: (error) =>
      log.error({ err: error }, 'redis is away: chat messages cross between nodes when it is back'),
    onBack: () => log.info('redis is back: whoever chats catches up'),
  })
  await backplane.settle(START_MS)
  const check = async () => {
    try {
      await backplane.check()
    } catch (error) {
      throw new PartAway(AWAY, { cause: error })
    }
  }
  return { backplane, check, close: () => backplane.close() }
}
