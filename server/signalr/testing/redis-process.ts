/** A Redis of the test's own, gone with it. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'

export interface RedisProcess {
  readonly url: string
  /** A client of it, closed with it. */
  connect(): Redis
  /** Ends the server, keeping its port. */
  readonly stop: () => Promise<void>
  readonly restart: () => Promise<void>
  readonly close: () => Promise<void>
}

export async function startRedis(): Promise<RedisProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-redis-'))
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  const clients: Redis[] = []
  const launch = async () => {
    const child = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
      { stdio: 'ignore' },
    )
    const failed = new Promise<never>((_resolve, reject) => child.on('error', reject))
    await Promise.race([answers(url), failed])
    return child
  }
  let child = await launch()
  const stop = async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }
  return {
    url,
    connect: () => {
      const client = new Redis(url, { maxRetriesPerRequest: 1 })
      client.on('error', () => {})
      clients.push(client)
      return client
    },
    stop,
    restart: async () => {
      child = await launch()
    },
    close: async () => {
      for (const client of clients) client.disconnect()
      if (child.exitCode === null && child.signalCode === null) await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function answers(url: string): Promise<void> {
  const client = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: null })
  client.on('error', () => {})
  await client.ping()
  client.disconnect()
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
