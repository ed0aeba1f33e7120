/** Redis with a replica, and three Sentinels that agree on the primary. */
import { addressOf } from '#lab/cluster/network.ts'
import { PATHS, type PartPlan, type Site } from '#lab/cluster/part.ts'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const PORT = 6379
const SENTINEL_PORT = 26379
const GROUP = 'bazaar'
/** Time in ms after which a Sentinel considers a silent Redis dead. */
const DOWN_MS = 2000
/** A killed Redis restarts empty, so the other one must be the primary by then. */
const AGAIN_MS = 6000

const run = promisify(execFile)

async function ask(address: string, port: number, password: string, ...words: readonly string[]) {
  const { stdout } = await run('redis-cli', ['-h', address, '-p', `${port}`, ...words], {
    // Everybody can read the arguments of processes.
    env: { PATH: PATHS, REDISCLI_AUTH: password },
    timeout: 2000,
  })
  return stdout.trim()
}

/** Starts as a replica of `primary`, if given. */
export function redis({ network, password }: Site, name: string, primary: string | null): PartPlan {
  const address = addressOf(network, name)
  const follow = primary === null ? '' : `replicaof ${addressOf(network, primary)} ${PORT}\n`
  return {
    name,
    host: name,
    what: primary === null ? 'Redis, the primary at first' : 'Redis, a replica at first',
    address: `${address}:${PORT}`,
    user: 'redis',
    command: ['redis-server', 'redis.conf'],
    files: {
      'redis.conf': `bind ${address}
port ${PORT}
requirepass ${password}
masterauth ${password}
save ""
appendonly no
maxmemory 128mb
maxmemory-policy volatile-lru
repl-diskless-sync-delay 0
repl-timeout 10
min-replicas-to-write 1
min-replicas-max-lag 5
${follow}`,
    },
    isReady: async () => (await ask(address, PORT, password, 'ping')) === 'PONG',
    againMs: AGAIN_MS,
  }
}

export function sentinel(site: Site, name: string, host: string, primary: string): PartPlan {
  const { network, password } = site
  const address = addressOf(network, host)
  return {
    name,
    host,
    what: 'agrees with the other Sentinels on the primary Redis',
    address: `${address}:${SENTINEL_PORT}`,
    user: 'redis',
    command: ['redis-sentinel', 'sentinel.conf'],
    files: {
      'sentinel.conf': `bind ${address}
port ${SENTINEL_PORT}
requirepass ${password}
sentinel sentinel-pass ${password}
sentinel monitor ${GROUP} ${addressOf(network, primary)} ${PORT} 2
sentinel auth-pass ${GROUP} ${password}
sentinel down-after-milliseconds ${GROUP} ${DOWN_MS}
sentinel failover-timeout ${GROUP} 10000
sentinel parallel-syncs ${GROUP} 1
`,
    },
    isReady: async () => (await ask(address, SENTINEL_PORT, password, 'ping')) === 'PONG',
    againMs: 1000,
  }
}

/** The hosts of the Sentinels, for REDIS_URL. */
export function redisAddress({ network, password }: Site, sentinels: readonly string[]): string {
  const places = sentinels.map((host) => `${addressOf(network, host)}:${SENTINEL_PORT}`)
  return `redis+sentinel://:${password}@${places.join(',')}/${GROUP}?sentinel-password=${password}`
}

/** Returns the host of the primary according to the Sentinels, or null if none responds. */
export async function findRedisPrimary(
  network: Site['network'],
  password: string,
  sentinels: readonly string[],
): Promise<string | null> {
  for (const host of sentinels) {
    const words = ['sentinel', 'get-master-addr-by-name', GROUP]
    const text = await ask(addressOf(network, host), SENTINEL_PORT, password, ...words).catch(
      () => '',
    )
    const found = Object.entries(network.hosts).find(
      ([, address]) => address === text.split('\n')[0],
    )
    if (found !== undefined) return found[0]
  }
  return null
}
