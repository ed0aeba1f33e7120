/** Child processes of a measurement: each is started here and ended by its process id. */
import { spawn, type ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Child {
  readonly pid: number
  /** Milliseconds from its start to the line that was waited for. */
  readonly startedIn: number
  /** What it printed until then. */
  readonly said: readonly string[]
  /** Asks what was loaded into it with `probed`, and waits for the answer; one question at a time. */
  ask(question: string): Promise<unknown>
  stop(): Promise<void>
}

interface StartOptions {
  readonly environment?: Readonly<Record<string, string>>
  /** Waits for this line. */
  readonly until: RegExp
  readonly timeoutMs?: number
  /** There is something in it that answers over a channel. */
  readonly probed?: boolean
}

/** All that run, so that an interrupted bench leaves nothing behind. */
const running = new Set<ChildProcess>()

/** Starts a program and resolves when it has said that it is ready. */
export async function startChild(
  command: string,
  args: readonly string[],
  { environment = {}, until, timeoutMs = 60_000, probed = false }: StartOptions,
): Promise<Child> {
  const begin = performance.now()
  const child = spawn(command, args, {
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'pipe', ...(probed ? ['ipc' as const] : [])],
  })
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('a child without its output')
  running.add(child)
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      running.delete(child)
      resolve()
    })
  })
  const said: string[] = []
  const errors: string[] = []
  createInterface({ input: stderr }).on('line', (line) => void errors.push(line))
  const startedIn = await new Promise<number>((resolve, reject) => {
    const late = setTimeout(() => {
      child.kill('SIGTERM')
      reject(new Error(`not ready in ${timeoutMs} ms: ${args.join(' ')}`))
    }, timeoutMs)
    child.once('error', reject)
    child.once('exit', (code) => {
      clearTimeout(late)
      const last = [...said, ...errors].slice(-8).join('\n')
      reject(new Error(`${args.join(' ')} ended with ${code}:\n${last}`))
    })
    createInterface({ input: stdout }).on('line', (line) => {
      if (said.length < 1000) said.push(line)
      if (!until.test(line)) return
      clearTimeout(late)
      resolve(performance.now() - begin)
    })
  })
  const ask = (question: string) =>
    new Promise<unknown>((resolve, reject) => {
      child.once('message', resolve)
      child.send(question, (error) => {
        if (error !== null) reject(error)
      })
    })
  return { pid: child.pid ?? 0, startedIn, said, ask, stop: () => stopChild(child, ended) }
}

async function stopChild(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), 20_000)
    await ended
    clearTimeout(late)
  }
}

/** Ends what is still running; for a bench that stops in the middle. */
export function endAll(): void {
  for (const child of running) child.kill('SIGTERM')
}

/** Runs a program of ours to its end with a job on its standard input; resolves with the JSON it prints. */
export async function runJob(file: string, job: unknown, timeoutMs: number): Promise<unknown> {
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] })
  running.add(child)
  const late = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  const parts: Buffer[] = []
  child.stdout.on('data', (part: Buffer) => void parts.push(part))
  child.stdin.end(JSON.stringify(job))
  const code = await new Promise((resolve) => child.once('close', resolve))
  clearTimeout(late)
  running.delete(child)
  if (code !== 0) throw new Error(`${file} ended with ${String(code)}`)
  return JSON.parse(Buffer.concat(parts).toString())
}

/** Milliseconds of CPU that a process has used, all threads, in user and kernel; steps of 10 ms. */
export function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

interface Memory {
  /** PSS in MB of the processes that are node, and of those that are the database. */
  readonly node: number
  readonly database: number
}

/** Proportional memory of a process and all below it. */
export function memoryOf(pid: number): Memory {
  let node = 0
  let database = 0
  for (const each of treeOf(pid)) {
    const name = readText(`/proc/${each}/comm`).trim()
    const size = Number(/^Pss: +(\d+)/m.exec(readText(`/proc/${each}/smaps_rollup`))?.[1] ?? 0)
    if (name.startsWith('postgres')) database += size / 1024
    else node += size / 1024
  }
  return { node, database }
}

function treeOf(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      const stat = readText(`/proc/${name}/stat`)
      return {
        pid: Number(name),
        parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]),
      }
    })
  const tree = [pid]
  for (const member of tree) {
    tree.push(...parents.filter((entry) => entry.parent === member).map((entry) => entry.pid))
  }
  return tree
}

/** Empty for a process that has gone meanwhile. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Waits; named for what it is for. */
export const idle = (ms: number): Promise<void> => sleep(ms)
