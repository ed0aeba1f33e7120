import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'

export interface RedisProcess {
  readonly url: string
  /** Kills the server (kill -9) but keeps its port. */
  readonly stop: () => Promise<void>
  readonly restart: () => Promise<void>
  /** The server stops replying, but its connections stay open. */
  readonly freeze: () => void
  readonly thaw: () => void
  readonly close: () => Promise<void>
}

/** `absent`: nothing listens until `restart`. */
export async function startRedis({ absent = false } = {}): Promise<RedisProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-redis-'))
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  let child: ChildProcess | null = null
  const restart = async () => {
    child = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
      { stdio: 'ignore' },
    )
    const failed = new Promise<never>((_resolve, reject) => child?.on('error', reject))
    await Promise.race([answers(url), failed])
  }
  const stop = async () => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const exited = new Promise((resolve) => child?.once('exit', resolve))
    child.kill('SIGKILL')
    await exited
  }
  if (!absent) await restart()
  return {
    url,
    stop,
    restart,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    close: async () => {
      await stop()
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

/** Below the ephemeral ports, one of which could take it while Redis is down. */
export async function freePort(): Promise<number> {
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
