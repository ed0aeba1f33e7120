/** The product as a person starts it: a process of its own, an empty data folder, a free port of this machine. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import allocator from '#server/kernel/allocator.json' with { type: 'json' }
import { findTestPort } from '#server/testing/port.ts'
import { createLogJudge } from '#server/testing/privacy/log-lines.ts'

/** How a process ended: by a code of its own, or by a signal that it did not take. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface Product {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly dataDir: string
  /**
   * Lines of its standard output so far, the newest 1,000; of its log, unless a LOG_LEVEL is given, only errors.
   */
  readonly said: readonly string[]
  /** Lines of its standard error so far, the newest 1,000. */
  readonly complained: readonly string[]
  /** Settles when the process is gone. */
  readonly ended: Promise<Exit>
  hasEnded(): boolean
  /** Sends a signal, unless it is gone. */
  signal(name: NodeJS.Signals): void
  /**
   * SIGTERM, SIGKILL after 40 seconds; removes the data folder when it was made here.
   * @throws Error when its log, or what it complained, held what no line of a log may hold
   */
  stop(): Promise<Exit>
}

export interface ProductOptions {
  /** The process to start, from its sources unless given; `server/worker.ts` is ready too when it has said its last line. */
  readonly file?: 'server/main.ts' | 'server/worker.ts' | 'scripts/serve.mjs' | 'scripts/start.mjs'
  /** A free one unless given: for a process that comes back to where it was. */
  readonly port?: number
  /** What stands behind the file's name, such as `--build=<folder>`. */
  readonly words?: readonly string[]
  readonly onComplaint?: (line: string) => void
}

const MOST_LINES = 1000
const STOP_MS = 40_000
const NODE = join('node_modules', '.bin', 'node')
const COMPILED = join(process.cwd(), 'node_modules', '.cache', 'compiled')

/** Removes a product's folder, whose database may take some seconds more to stop than the product and still write. */
export async function removeDataDir(dataDir: string): Promise<void> {
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20 })
}

/**
 * Starts a process of the product and resolves when it has printed its last line. Limits, metrics and demo content
 * are off, and the end does not wait for a balancer (DRAIN_SECONDS=0), unless `environment` says otherwise. With a
 * DATA_DIR in `environment` that folder is used and stays.
 * @throws Error with what it said, when it ends before
 */
export async function startProduct(
  environment: Readonly<Record<string, string>> = {},
  { file = 'server/main.ts', port: given, words = [], onComplaint }: ProductOptions = {},
): Promise<Product> {
  const port = given ?? (await findTestPort())
  const made = environment['DATA_DIR'] === undefined ? await mkdtemp(TEMPORARY) : null
  const dataDir = environment['DATA_DIR'] ?? made ?? ''
  const child = spawn(NODE, [file, ...words], {
    env: environmentOf(port, { ...environment, DATA_DIR: dataDir }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Whoever fails before stopping it leaves nothing running.
  const kill = () => void child.kill('SIGTERM')
  process.once('exit', kill)
  const said: string[] = []
  const complained: string[] = []
  const collect = (lines: string[], line: string) => {
    if (lines.length === MOST_LINES) lines.shift()
    lines.push(line)
  }
  const ended = new Promise<Exit>((resolve) =>
    // What was printed last is read before the end is reported.
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
      // What it says to whoever started it, such as how to sign in to the demo, is no log.
      if (level !== null) judge.write(line)
      if (level !== null && level < ERROR && environment['LOG_LEVEL'] === undefined) return
      collect(said, line)
      if (line.includes('Ctrl-C stops it.')) resolve()
    })
    void ended.then(({ code, signal }) =>
      reject(new Error(`it ended with ${code ?? signal}:\n${[...said, ...complained].join('\n')}`)),
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
    said,
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
    // As whoever installs it has it: all of it is judged.
    LOG_LEVEL: 'info',
    ...environment,
  }
}

const TEMPORARY = join(tmpdir(), 'kb-product-')

/** As pino counts. */
const ERROR = 50

/** How grave a line of the log is; null for what is none. */
function levelOf(line: string): number | null {
  const level = /^\{"level":(\d+),/.exec(line)?.[1]
  return level === undefined ? null : Number(level)
}
