/** Real Redis servers for a test: a single one, with Sentinels, or a cluster. They stop with the test. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Cluster, Redis } from 'ioredis'

const run = promisify(execFile)

export interface RedisServers {
  /** Host and port of what a client must know: the server, the Sentinel, or all cluster nodes. */
  readonly places: readonly string[]
  /** Creates a client that is closed with the servers. */
  readonly connect: () => Redis | Cluster
  /** Kills the primary immediately; `restart` brings it back. */
  readonly kill: () => Promise<void>
  readonly restart: () => Promise<void>
  /** The server stops responding, but its connections stay open. */
  readonly freeze: () => void
  readonly thaw: () => void
  readonly close: () => Promise<void>
}

export type RedisKind = 'single' | 'sentinel' | 'cluster'

/** Starts the servers and waits until they are ready. */
export async function startRedisServers(kind: RedisKind): Promise<RedisServers> {
  const folder = await mkdtemp(join(tmpdir(), 'hub-redis-'))
  const children = new Map<number, ChildProcess>()
  const clients: (Redis | Cluster)[] = []
  const start = async (port: number, words: readonly string[]) => {
    const own = join(folder, String(port))
    await mkdir(own, { recursive: true })
    const common = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', own]
    common.push('--repl-diskless-sync-delay', '0')
    children.set(port, spawn('redis-server', [...words, ...common], { stdio: 'ignore' }))
  }
  const stop = async (port: number) => {
    const child = children.get(port)
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await exited
  }
  const first = await freePort()
  const plain = () => start(first, ['--port', String(first)])
  const opened = (client: Redis | Cluster) => {
    client.on('error', () => {})
    clients.push(client)
    return client
  }
  const shared = {
    kill: () => stop(first),
    restart: async () => {
      await plain()
      await until(first, ['PING'], 'PONG')
    },
    freeze: () => void children.get(first)?.kill('SIGSTOP'),
    thaw: () => void children.get(first)?.kill('SIGCONT'),
    close: async () => {
      for (const client of clients) client.disconnect()
      await Promise.all([...children.keys()].map(stop))
      await rm(folder, { recursive: true, force: true })
    },
  }
  const retryStrategy = () => 50
  if (kind === 'single') {
    await plain()
    await until(first, ['PING'], 'PONG')
    return {
      ...shared,
      places: [`127.0.0.1:${first}`],
      connect: () => opened(new Redis(first, '127.0.0.1', { retryStrategy })),
    }
  }
  if (kind === 'sentinel') {
    await plain()
    const replica = await freePort()
    await start(replica, ['--port', String(replica), '--replicaof', '127.0.0.1', String(first)])
    await until(replica, ['INFO', 'replication'], 'master_link_status:up')
    const port = await freePort()
    const file = join(folder, 'sentinel.conf')
    const lines = [
      `port ${port}`,
      `sentinel monitor main 127.0.0.1 ${first} 1`,
      'sentinel down-after-milliseconds main 1000',
      'sentinel failover-timeout main 4000',
    ]
    await writeFile(file, `${lines.join('\n')}\n`)
    await start(port, [file, '--sentinel'])
    await until(port, ['SENTINEL', 'MASTER', 'main'], '"num-slaves","1"')
    const sentinels = [{ host: '127.0.0.1', port }]
    return {
      ...shared,
      places: [`127.0.0.1:${port}`],
      connect: () => opened(new Redis({ sentinels, name: 'main', retryStrategy })),
    }
  }
  const ports = [first]
  while (ports.length < 6) ports.push(await freePort())
  for (const port of ports) {
    const cluster = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '1500']
    await start(port, ['--port', String(port), ...cluster])
  }
  for (const port of ports) await until(port, ['PING'], 'PONG')
  const places = ports.map((port) => `127.0.0.1:${port}`)
  await run('redis-cli', [
    '--cluster',
    'create',
    ...places,
    '--cluster-replicas',
    '1',
    '--cluster-yes',
  ])
  for (const port of ports) await until(port, ['CLUSTER', 'INFO'], 'cluster_state:ok')
  // A replica without a copy of the data would not take over.
  for (const port of ports.slice(ports.length / 2))
    await until(port, ['INFO', 'replication'], 'master_link_status:up')
  const nodes = ports.map((port) => ({ host: '127.0.0.1', port }))
  return {
    ...shared,
    places,
    connect: () =>
      opened(
        new Cluster(nodes, { clusterRetryStrategy: retryStrategy, slotsRefreshInterval: 500 }),
      ),
  }
}

/** Repeats a command until the reply contains the text. */
async function until(port: number, [name, ...words]: [string, ...string[]], text: string) {
  const client = new Redis(port, '127.0.0.1', {
    retryStrategy: () => 50,
    maxRetriesPerRequest: null,
  })
  client.on('error', () => {})
  try {
    for (;;) {
      const answer: unknown = await client.call(name, ...words).catch(() => '')
      if (JSON.stringify(answer).includes(text)) return
      await sleep(50)
    }
  } finally {
    client.disconnect()
  }
}

/**
 * Below the ephemeral ports, one of which could take it while the server is down. A cluster node also needs its port
 * plus 10,000.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 22_000)
    const isFree = await new Promise<boolean>((resolve) => {
      const server = createServer()
        .once('error', () => resolve(false))
        .listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}
