/** The product as a person starts it: a process of its own, an empty data folder, a free port. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface Server {
  readonly url: string
  readonly dataDir: string
  /** What it printed up to its address and sign-ins. */
  readonly said: string[]
  stop(): Promise<void>
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

/** Starts a server and resolves when it has printed its last line. */
export async function startServer(environment: Record<string, string> = {}): Promise<Server> {
  const made = await mkdtemp(join(tmpdir(), 'kb-e2e-'))
  const dataDir = environment['DATA_DIR'] ?? made
  const port = await freePort()
  const url = `http://localhost:${port}`
  const child = spawn(join('node_modules', '.bin', 'node'), ['server/main.ts'], {
    env: {
      ...process.env,
      PORT: `${port}`,
      DATA_DIR: dataDir,
      DEMO: '0',
      METRICS_PORT: '0',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const said: string[] = []
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) =>
      reject(new Error(`the server ended with ${code}: ${said.join('\n')}`)),
    )
    createInterface({ input: child.stdout }).on('line', (line) => {
      said.push(line)
      if (line.startsWith('Ctrl-C')) resolve()
    })
  })
  return {
    url,
    dataDir,
    said,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      await rm(made, { recursive: true, force: true })
    },
  }
}
