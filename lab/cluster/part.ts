/** A part of the cluster: one program, with its files, its command, and how one sees that it is ready. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { enterHost, type NetworkPlan } from './network.ts'
import { MARK } from './watchdog.ts'

/** What all parts of a cluster share. */
export interface Site {
  /** Everything is below it, and goes with it. */
  readonly folder: string
  readonly network: NetworkPlan
  /** Of every server that has one; made for this cluster. */
  readonly password: string
}

export interface PartPlan {
  /** "redis1": also its folder and its log. */
  readonly name: string
  /** Parts of one host are cut off, and lose their power, together. */
  readonly host: string
  /** In words, for the picture. */
  readonly what: string
  /** Where a person or a program finds it. */
  readonly address: string
  /** As root it is started as this user. */
  readonly user?: 'postgres' | 'redis'
  readonly command: readonly string[]
  /** Texts by their names in the part's folder. */
  readonly files?: Readonly<Record<string, string>>
  readonly environment?: Readonly<Record<string, string>>
  /** Its folder unless given. */
  readonly cwd?: string
  /** Asked until it says so; what it throws is a no. */
  isReady(): Promise<boolean>
  /** It is started again so long after its end, as a service manager does. */
  readonly againMs: number
  /** Is it asked to end with the cluster, and given time? The others are killed: their data go too. */
  readonly isAsked?: boolean
}

export interface Part {
  readonly plan: PartPlan
  /** Null between its end and its next start. */
  readonly pid: number | null
  /** How often it ended without being asked to. */
  readonly ends: number
  /** Asks it to end by a signal, SIGTERM unless given, and waits; then it stays away. */
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Starts it again after `stop`, `plan` instead of what it was. */
  start(plan?: PartPlan): Promise<void>
}

const READY_MS = 120_000
const ASK_MS = 100
const END_MS = 15_000
const TAIL = 2000

/** Where a host that is switched off has a file: nothing of it is started meanwhile. */
export const offFile = (folder: string, host: string) => join(folder, 'off', host)

export interface Watch {
  /** A line for who watches. */
  readonly say: (line: string) => void
  /** A process of a part has begun or ended. */
  readonly changed: () => void
  /** Nothing is started any more. */
  readonly isOver: () => boolean
}

/** Starts a part and sees to it that it comes back when it ends; ready on return. @throws Error with the end of its log */
export async function startPart(site: Site, first: PartPlan, watch: Watch): Promise<Part> {
  let plan = first
  let child: ChildProcess | null = null
  let isWanted = true
  let ends = 0
  let gone: Promise<void> = Promise.resolve()
  const begin = async () => {
    const started = await launch(site, plan)
    child = started
    gone = new Promise((resolve) => {
      const end = () => {
        if (child === started) child = null
        watch.changed()
        resolve()
      }
      started.once('exit', end)
      started.once('error', end)
    })
    void gone
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
    await gone
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

/** Where Debian has its servers, which an ordinary user's path lacks. */
export const PATHS = `${process.env['PATH'] ?? ''}:/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin`

async function launch({ folder, network }: Site, plan: PartPlan): Promise<ChildProcess> {
  const own = join(folder, plan.name)
  await mkdir(own, { recursive: true, mode: 0o700 })
  for (const [name, text] of Object.entries(plan.files ?? {})) {
    // A server that writes its state into its configuration goes on with it.
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
      // A Ctrl-C in the terminal is for us alone.
      detached: true,
    })
  } finally {
    closeSync(log)
  }
}

/** Begins the line that stands in a log before what each start says. */
const STARTED = '--- started'

/** What a part has said since its last start. */
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

/** Does somebody listen there? */
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

/** Is the answer there a good one? */
export async function answersWell(url: string): Promise<boolean> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(2000) })
  await answer.arrayBuffer()
  return answer.ok
}
