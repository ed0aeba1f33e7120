/** Runs the processes of a measurement: servers and jobs written for it, and readings of resource use. */
import { spawn, type ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

export interface Server {
  readonly pid: number
  readonly port: number
  /** Sends a line and resolves with the line that answers it. Only one question at a time. */
  ask(question: string): Promise<string>
  stop(): void
}

/** An interrupted measurement leaves nothing running. */
function endWithUs(child: ChildProcess): void {
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
}

/** Starts a program of `lab/` that prints "listening PORT" when it is ready. @throws Error when it ends before */
export async function startServer(
  file: string,
  words: readonly string[],
  nodeOptions: readonly string[] = [],
): Promise<Server> {
  const program = join(import.meta.dirname, file)
  const child = spawn(process.execPath, [...nodeOptions, program, ...words], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  endWithUs(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async () => {
    const line = await lines.next()
    if (line.done === true) throw new Error(`${file} ended`)
    return line.value
  }
  const [, port] = (await nextLine()).split(' ')
  return {
    pid: child.pid ?? 0,
    port: Number(port),
    ask: (question) => {
      child.stdin.write(`${question}\n`)
      return nextLine()
    },
    stop: () => void child.kill('SIGKILL'),
  }
}

/** Runs a program of `lab/` with a job on its stdin. Resolves with the JSON that it prints. */
export async function runJob<Result>(
  file: string,
  job: unknown,
  timeoutMs: number,
): Promise<Result> {
  const child = spawn(process.execPath, [join(import.meta.dirname, file)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  endWithUs(child)
  const late = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  child.stdin.end(JSON.stringify(job))
  const answer = await text(child.stdout)
  clearTimeout(late)
  if (answer === '') throw new Error(`${file} ended without an answer`)
  return JSON.parse(answer) as Result
}

/** Returns the CPU time in ms that a process has used in all its threads, in steps of 10; 0 when it has ended. */
export function cpuOf(pid: number | string): number {
  const fields = statOf(pid)
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10
}

interface Memory {
  /** PSS in MB of the Node processes and of the database processes. */
  readonly node: number
  readonly database: number
}

/** Returns the proportional memory of a process and its descendants. */
export function memoryOf(pid: number): Memory {
  let node = 0
  let database = 0
  for (const each of treeOf(pid)) {
    const name = readText(`/proc/${each}/comm`)
    const size = Number(/^Pss: +(\d+)/m.exec(readText(`/proc/${each}/smaps_rollup`))?.[1] ?? 0)
    if (name.startsWith('postgres')) database += size / 1024
    else node += size / 1024
  }
  return { node, database }
}

function treeOf(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: Number(statOf(name)[1]) }))
  const tree = [pid]
  for (const member of tree) {
    tree.push(...parents.filter((entry) => entry.parent === member).map((entry) => entry.pid))
  }
  return tree
}

/** Returns the fields of /proc/PID/stat after the name, which may contain spaces. */
function statOf(pid: number | string): string[] {
  const stat = readText(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Returns '' for a process that has ended meanwhile. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
