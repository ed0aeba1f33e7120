import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { enterHost, type NetworkPlan } from './network.ts'
import { MARK } from './watchdog.ts'

/** Shared by all parts of a cluster. */
export interface Site {
  /** Contains every file of the cluster. */
  readonly folder: string
  readonly network: NetworkPlan
  /** Shared by all servers of this cluster. */
  readonly password: string
}

/** One program of a cluster. */
export interface PartPlan {
  /** Such as "redis1". Also names its folder and its log. */
  readonly name: string
  /** Parts of one host are disconnected and powered off together. */
  readonly host: string
  /** A description for people. */
  readonly what: string
  readonly address: string
  /** Root starts it as this user. */
  readonly user?: 'postgres' | 'redis'
  readonly command: readonly string[]
  /** Contents by name in the part's folder. */
  readonly files?: Readonly<Record<string, string>>
  readonly environment?: Readonly<Record<string, string>>
  /** Defaults to its folder. */
  readonly cwd?: string
  /** Polled until it returns true. An error means no. */
  isReady(): Promise<boolean>
  /** Delay in ms before it is restarted, as by a service manager. */
  readonly againMs: number
  /** Stopped gracefully with the cluster. The others are killed, because their data are removed. */
  readonly isAsked?: boolean
}

export interface Part {
  readonly plan: PartPlan
  /** Null between its end and its next start. */
  readonly pid: number | null
  /** Number of unrequested exits. */
  readonly ends: number
  /** Stops it with SIGTERM or another signal, and doesn't restart it. */
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Starts it again after `stop`, optionally with another plan. */
  start(plan?: PartPlan): Promise<void>
}

const READY_MS = 120_000
const ASK_MS = 100
const END_MS = 15_000
const TAIL = 2000

/** While this file exists, no part of the host is started. */
export const offFile = (folder: string, host: string) => join(folder, 'off', host)

export interface Watch {
  readonly say: (line: string) => void
  /** Called when a process of a part starts or ends. */
  readonly changed: () => void
  /** Once true, nothing is started. */
  readonly isOver: () => boolean
}

/** Starts a part and waits until it is ready. Restarts it when it ends. @throws Error with the end of its log */
export async function startPart(site: Site, first: PartPlan, watch: Watch): Promise<Part> {
  let plan = first
  let child: ChildProcess | null = null
  let isWanted = true
  let ends = 0
  let exited: Promise<void> = Promise.resolve()
  const begin = async () => {
    const started = await launch(site, plan)
    child = started
    exited = new Promise((resolve) => {
      const end = () => {
        if (child === started) child = null
        watch.changed()
        resolve()
      }
      started.once('exit', end)
      started.once('error', end)
    })
    void exited
      .then(() => comeBack(started))
      .catch((error: unknown) => watch.say(`${plan.name} does not come back: ${String(error)}`))
    watch.changed()
  }
  const comeBack = async (ended: ChildProcess) => {
    if (!isWanted || watch.isOver()) return
    ends += 1
    watch.say(`${plan.name} ended (${ended.signalCode ?? ended.exitCode ?? 'no such program'})`)
    await sleep(plan.againMs, undefined, { ref: false })
    while (existsSync(offFile(site.folder, plan.host))) await sleep(200, undefined, { ref: false })
    if (!isWanted || watch.isOver() || child !== null) return
    watch.say(`${plan.name} is started again`)
    await begin()
  }
  const ready = async () => {
    for (const end = Date.now() + READY_MS; !(await plan.isReady().catch(() => false));) {
      if (Date.now() > end)
        throw new Error(
          `${plan.name} was not ready after ${READY_MS / 1000} s:\n${tail(site, plan)}`,
        )
      if (child === null) throw new Error(`${plan.name} did not start:\n${tail(site, plan)}`)
      await sleep(ASK_MS)
    }
  }
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    isWanted = false
    child?.kill(signal)
    const late = setTimeout(() => child?.kill('SIGKILL'), END_MS)
    await exited
    clearTimeout(late)
  }
  await begin()
  try {
    await ready()
  } catch (error) {
    isWanted = false
    throw error
  }
  return {
    get plan() {
      return plan
    },
    get pid() {
      return child?.pid ?? null
    },
    get ends() {
      return ends
    },
    stop,
    start: async (next = plan) => {
      plan = next
      isWanted = true
      await begin()
      await ready()
    },
  }
}

/** Includes Debian's folders for servers, which ordinary users lack in their path. */
export const PATHS = `${process.env['PATH'] ?? ''}:/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin`

async function launch({ folder, network }: Site, plan: PartPlan): Promise<ChildProcess> {
  const own = join(folder, plan.name)
  await mkdir(own, { recursive: true, mode: 0o700 })
  for (const [name, text] of Object.entries(plan.files ?? {})) {
    // Some servers write their state into their configuration.
    if (!existsSync(join(own, name))) await writeFile(join(own, name), text, { mode: 0o600 })
  }
  const user = process.getuid?.() === 0 ? plan.user : undefined
  const before =
    user === undefined ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups']
  if (user !== undefined) execFileSync('chown', ['-R', `${user}:${user}`, own])
  const [command = '', ...words] = [...enterHost(network, plan.host), ...before, ...plan.command]
  const log = openSync(logOf(folder, plan), 'a', 0o600)
  writeSync(log, `${STARTED} ${new Date().toISOString()}\n`)
  try {
    return spawn(command, words, {
      cwd: plan.cwd ?? own,
      env: { PATH: PATHS, LANG: 'C.UTF-8', ...plan.environment, [MARK]: folder },
      stdio: ['ignore', log, log],
      // A Ctrl-C in the terminal must not reach it.
      detached: true,
    })
  } finally {
    closeSync(log)
  }
}

/** Marks each start in the log. */
const STARTED = '--- started'

/** Returns the log of a part since its last start. */
export function saidBy(folder: string, name: string): string {
  return (
    readFileSync(join(folder, `${name}.log`), 'utf8')
      .split(STARTED)
      .at(-1) ?? ''
  )
}

const logOf = (folder: string, { name }: PartPlan) => join(folder, `${name}.log`)

function tail({ folder }: Site, plan: PartPlan): string {
  return readFileSync(logOf(folder, plan), 'utf8').slice(-TAIL)
}

export function listens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1000 })
    const end = (isThere: boolean) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
}

export async function answersWell(url: string): Promise<boolean> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(2000) })
  await answer.arrayBuffer()
  return answer.ok
}
