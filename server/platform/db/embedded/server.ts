import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { serverEnvironment, serverSettings } from '#server/platform/db/embedded/cluster.ts'
import { EmbeddedFailure, reasonIn } from '#server/platform/db/embedded/failure.ts'
import { readServerState, removeStalePidFile } from '#server/platform/db/embedded/pidfile.ts'
import { pathFor, type Runner } from '#server/platform/db/embedded/runner.ts'

export interface ServerPlan {
  cluster: string
  home: string
  runner: Runner
  socketDir: string
  logFile: string
  isDurable: boolean
  log: (line: string) => void
}

export interface OwnedServer {
  stop(): Promise<void>
}

const LARGEST_LOG = 10_000_000
const RESTART_FIRST_MS = 100
const RESTART_LONGEST_MS = 5_000
/** In ms, for the last checkpoint; a server that is killed before recovers at the next start. */
const FAST_STOP_MS = 8_000

/** Starts the server and restarts it whenever it dies, until it is stopped. */
export async function startServer(plan: ServerPlan): Promise<OwnedServer> {
  let child = await launchReady(plan)
  let isStopping = false
  let revival: Promise<void> | undefined

  const watch = (watched: ChildProcess) => {
    watched.once('exit', () => {
      if (!isStopping) revival = revive()
    })
    if (hasExited(watched) && !isStopping && !revival) revival = revive()
  }
  const revive = async () => {
    plan.log('The database stopped by itself; starting it again.')
    for (let wait = RESTART_FIRST_MS; !isStopping; wait = Math.min(wait * 2, RESTART_LONGEST_MS)) {
      await sleep(wait)
      if (isStopping) return
      try {
        child = await launchReady(plan)
        plan.log('The database is back.')
        revival = undefined
        watch(child)
        return
      } catch (error) {
        plan.log(error instanceof Error ? error.message : String(error))
      }
    }
  }
  watch(child)

  return {
    async stop() {
      isStopping = true
      await revival
      await stopChild(child)
    },
  }
}

async function launchReady(plan: ServerPlan): Promise<ChildProcess> {
  const before = readLog(plan.logFile).length
  const child = launch(plan)
  let failure: Error | undefined
  child.once('error', (error) => (failure = error))
  while (!isReady(plan, child)) {
    if (failure || hasExited(child)) {
      throw new EmbeddedFailure(
        `The database in ${plan.cluster} did not start: ` +
          (failure
            ? explainSpawn(failure)
            : reasonIn(readLog(plan.logFile).slice(before), plan.cluster)),
      )
    }
    await sleep(10)
  }
  return child
}

/** Uses its own process group: Ctrl-C in the terminal reaches only the app, which then stops the server. */
function launch(plan: ServerPlan): ChildProcess {
  removeStalePidFile(plan.cluster)
  const { name, cwd } = pathFor(plan.runner, plan.cluster)
  const [command = '', ...args] = [
    ...plan.runner.prefix,
    join(plan.home, 'bin', 'postgres'),
    '-D',
    name,
    ...serverSettings(plan.socketDir, plan.isDurable),
  ]
  const tooLarge = (statSync(plan.logFile, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_LOG
  const log = openSync(plan.logFile, tooLarge ? 'w' : 'a', 0o600)
  try {
    const child = spawn(command, args, {
      ...plan.runner.ids,
      cwd,
      env: serverEnvironment(),
      detached: true,
      stdio: ['ignore', log, log],
    })
    child.unref()
    return child
  } finally {
    closeSync(log)
  }
}

function isReady(plan: ServerPlan, child: ChildProcess): boolean {
  const state = readServerState(plan.cluster)
  // `unshare` replaces itself with the server, so the process id stays the same.
  return state !== undefined && state.pid === child.pid && state.isReady
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function explainSpawn(error: Error): string {
  return 'code' in error && error.code === 'ENOENT'
    ? 'its program does not run on this system (glibc is needed). Set DATABASE_URL instead.'
    : error.message
}

function readLog(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (hasExited(child)) return
  const gone = new Promise<true>((resolve) => child.once('exit', () => resolve(true)))
  child.ref()
  child.kill('SIGINT')
  const timer = new AbortController()
  const late = sleep(FAST_STOP_MS, false, { signal: timer.signal }).catch(() => true)
  if (!(await Promise.race([gone, late]))) child.kill('SIGQUIT')
  await gone
  timer.abort()
}
