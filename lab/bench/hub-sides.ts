/** Both sides of `npm run bench:hub`: servers to be measured, and the clients that ask them. */
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { HubJob, HubResult } from './hub-client.ts'
import type { Kind } from './hub-speakers.ts'
import { runJob } from './process.ts'

/** A first look, with fewer of everything. */
export const quick = process.argv.includes('--quick')
const SECONDS = quick ? 1 : 3
export const WARM_SECONDS = 3
const PAYLOAD = 100
/** The library, and what it is built on. */
export const KINDS = ['hub', 'ws'] as const
/** Connections at once where many count. */
export const MANY = quick ? 2000 : 10_000

export interface Server {
  readonly pid: number
  readonly port: number
  /** Bytes of the heap after a forced collection, and open handles. */
  hold(): Promise<{ heap: number; handles: number }>
  stop(): void
}

const children = new Set<ChildProcess>()

/** A server of that kind, in a process of its own. */
export async function startServer(kind: Kind): Promise<Server> {
  const child = spawn(
    process.execPath,
    ['--expose-gc', join(import.meta.dirname, 'hub-server.ts'), kind],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  children.add(child)
  const waiting: ((line: string) => void)[] = []
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(line))
  const nextLine = () => new Promise<string>((resolve) => waiting.push(resolve))
  const [, port = ''] = (await nextLine()).split(' ')
  return {
    pid: child.pid ?? 0,
    port: Number(port),
    hold: async () => {
      const line = nextLine()
      child.stdin.write('\n')
      const [, heap = '', handles = ''] = (await line).split(' ')
      return { heap: Number(heap), handles: Number(handles) }
    },
    stop: () => {
      children.delete(child)
      child.kill('SIGKILL')
    },
  }
}

/** Its clients, in another; fills in the numbers that are not given. */
export async function runClients(
  server: Server,
  kind: Kind,
  job: Partial<HubJob>,
): Promise<HubResult> {
  const whole: HubJob = {
    kind,
    what: 'relay',
    port: server.port,
    connections: 50,
    seconds: SECONDS,
    warmSeconds: WARM_SECONDS,
    payload: PAYLOAD,
    rate: 0,
    ...job,
  }
  const file = join(import.meta.dirname, 'hub-client.ts')
  // Written by hub-client.ts.
  return (await runJob(file, whole, 180_000)) as HubResult
}

/** An interrupted bench leaves nothing behind. */
export function stopServers(): void {
  for (const child of children) child.kill('SIGKILL')
}
