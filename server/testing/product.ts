/** Starts the product as an operator does: in its own process, with an empty data folder and a free port. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import allocator from '#server/kernel/allocator.json' with { type: 'json' }
import { findTestPort } from '#server/testing/port.ts'
import { createLogJudge } from '#server/testing/privacy/log-lines.ts'

/** The exit code, or the signal that ended it. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface Product {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly dataDir: string
  /** The newest 1,000 lines of its standard output. Without a LOG_LEVEL its log contains only errors. */
  readonly said: readonly string[]
  /** The newest 1,000 lines of its standard error. */
  readonly complained: readonly string[]
  /** Resolves when the process has exited. */
  readonly ended: Promise<Exit>
  hasEnded(): boolean
  /** Sends a signal if the process is running. */
  signal(name: NodeJS.Signals): void
  /**
   * Sends SIGTERM, and SIGKILL after 40 seconds. Removes the data folder if it was created here.
   * @throws Error when its output contained personal data
   */
  stop(): Promise<Exit>
}

export interface ProductOptions {
  /**
   * The script to start, run from source by default. `server/worker.ts` is also ready when it has printed its last
   * line.
   */
  readonly file?: 'server/main.ts' | 'server/worker.ts' | 'scripts/serve.mjs' | 'scripts/start.mjs'
  /** A free one by default. Set it for a process that restarts on the same port. */
  readonly port?: number
  /** Arguments after the file name, such as `--build=<folder>`. */
  readonly words?: readonly string[]
  readonly onComplaint?: (line: string) => void
  /** A copy of the repository to run instead of it. */
  readonly folder?: string
}

const MOST_LINES = 1000
const STOP_MS = 40_000
const NODE = join('node_modules', '.bin', 'node')
const COMPILED = join(process.cwd(), 'node_modules', '.cache', 'compiled')

/** Removes a product's folder. The database may still write for some seconds after the product has exited. */
export async function removeDataDir(dataDir: string): Promise<void> {
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20 })
}

/**
 * Starts a process of the product and resolves when it has printed its last line. By default limits, metrics and
 * demo content are off, and shutdown doesn't wait for a load balancer (DRAIN_SECONDS=0). A DATA_DIR in
 * `environment` is used and kept.
 * @throws Error with its output when it exits early
 */
export async function startProduct(
  environment: Readonly<Record<string, string>> = {},
  { file = 'server/main.ts', port: given, words = [], onComplaint, folder }: ProductOptions = {},
): Promise<Product> {
  const port = given ?? (await findTestPort())
  const made = environment['DATA_DIR'] === undefined ? await mkdtemp(TEMPORARY) : null
  const dataDir = environment['DATA_DIR'] ?? made ?? ''
  const child = spawn(NODE, [file, ...words], {
    cwd: folder,
    env: environmentOf(port, { ...environment, DATA_DIR: dataDir }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Stops the process if a test fails before it does.
  const kill = () => void child.kill('SIGTERM')
  process.once('exit', kill)
  const output: string[] = []
  const complained: string[] = []
  const collect = (lines: string[], line: string) => {
    if (lines.length === MOST_LINES) lines.shift()
    lines.push(line)
  }
  const ended = new Promise<Exit>((resolve) =>
    // `close` fires after the output was read completely.
    child.once('close', (code, signal) => resolve({ code, signal })),
  )
  void ended.then(() => process.off('exit', kill))
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const judge = createLogJudge()
  createInterface({ input: child.stderr }).on('line', (line) => {
    judge.write(line)
    collect(complained, line)
    onComplaint?.(line)
  })
  const stop = async () => {
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    if (!hasEnded()) child.kill('SIGTERM')
    const exit = await ended
    clearTimeout(late)
    if (made !== null) await removeDataDir(made)
    if (judge.leaks.length > 0)
      throw new Error(`The log holds what it must not:\n${judge.leaks.slice(0, 5).join('\n')}`)
    return exit
  }
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    createInterface({ input: child.stdout }).on('line', (line) => {
      const level = levelOf(line)
      // Messages for the operator, such as the demo sign-ins, are not part of the log.
      if (level !== null) judge.write(line)
      if (level !== null && level < ERROR && environment['LOG_LEVEL'] === undefined) return
      collect(output, line)
      if (line.includes('Ctrl-C stops it.')) resolve()
    })
    void ended.then(({ code, signal }) =>
      reject(
        new Error(`it ended with ${code ?? signal}:\n${[...output, ...complained].join('\n')}`),
      ),
    )
  }).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    dataDir,
    said: output,
    complained,
    ended,
    hasEnded,
    signal: (name) => {
      if (!hasEnded()) child.kill(name)
    },
    stop,
  }
}

function environmentOf(
  port: number,
  environment: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  return {
    LOG_FORMAT: 'json',
    // As `npm start` does.
    ...allocator,
    NODE_COMPILE_CACHE: COMPILED,
    ...process.env,
    PORT: `${port}`,
    DEMO: '0',
    METRICS_PORT: '0',
    VIDEO_CHECK_URL: '',
    RATE_LIMITS: 'off',
    DRAIN_SECONDS: '0',
    // The default level, so that all lines of a normal installation are checked.
    LOG_LEVEL: 'info',
    ...environment,
  }
}

const TEMPORARY = join(tmpdir(), 'kb-product-')

/** Numeric level of pino. */
const ERROR = 50

/** Returns the level of a log line, or null for other output. */
function levelOf(line: string): number | null {
  const level = /^\{"level":(\d+),/.exec(line)?.[1]
  return level === undefined ? null : Number(level)
}
