/** Overload: many guests search at once, or send large forms that stop halfway. Other people must not notice. */
import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { quantile } from '#lab/bench/rounds.ts'
import { findTestPort } from '#server/testing/port.ts'
import { turnsOf, type Experiment, type ExperimentOptions, type Outcome } from './experiment.ts'
import { cleaningUp, startNode } from '#lab/product.ts'

const NODE = join('node_modules', '.bin', 'node')
const MEGABYTE = 1024 * 1024
const GUESTS = 300
/** p95 of other pages in ms, and growth of memory in MB. */
const MOST_MS = 100
const MOST_GROWN = 50
/** Bytes of a registration before it stops. */
const PICTURE = Buffer.alloc(7.9 * MEGABYTE)
const NONE = { acknowledged: 0, lost: 0, doubled: 0 }

/** Returns the resident memory in MB. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}

/** Forces garbage collection in a process with `--inspect`, because an idle one doesn't collect. */
async function collectGarbage(inspectPort: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${inspectPort}/json/list`)
  const [target] = (await answer.json()) as { webSocketDebuggerUrl: string }[]
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '')
  await once(socket, 'open')
  socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }))
  await once(socket, 'message')
  socket.close()
}

/** Returns the time in ms until the last byte. @throws Error for any status but 200 */
async function latencyOf(url: string): Promise<number> {
  const begun = performance.now()
  const answer = await fetch(url, { signal: AbortSignal.timeout(20_000) })
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`)
  return performance.now() - begun
}

/** Measures requests for two pages and for /healthz until `done`. */
async function probe(origin: string, done: () => boolean) {
  const taken: number[] = []
  const failed: string[] = []
  while (!done()) {
    for (const path of ['/', '/about', '/healthz']) {
      try {
        taken.push(await latencyOf(`${origin}${path}`))
      } catch (error) {
        failed.push(error instanceof Error ? error.message : String(error))
      }
    }
    await pause(50)
  }
  return { sorted: taken.toSorted((one, other) => one - other), failed }
}

const SEARCH_SECONDS = 10

function searchOnce(options: ExperimentOptions): Promise<Outcome> {
  const { seed, say } = options
  return cleaningUp(async (later) => {
    const product = await startNode({ RATE_LIMITS: 'on', DEMO: '1' })
    later(() => product.stop())
    for (const path of ['/', '/about']) await latencyOf(`${product.url}${path}`)
    const breaches: string[] = []
    const recoveryMs: number[] = []
    let note = ''
    for (const turn of turnsOf(options)) {
      const args = [product.url, `${GUESTS}`, `${SEARCH_SECONDS}`, `${seed + turn}`]
      const child = spawn(NODE, [join('lab', 'faults', 'searchers.ts'), ...args], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let isOver = false
      const over = text(child.stdout).finally(() => {
        isOver = true
      })
      later(async () => child.kill())
      // Waits for its connections.
      await pause(1000)
      const { sorted, failed } = await probe(product.url, () => isOver)
      const [p50, p95, p99] = [0.5, 0.95, 0.99].map((part) => Math.round(quantile(sorted, part)))
      const answers = (await over).trim()
      recoveryMs.push(await latencyOf(`${product.url}/`))
      note = `home and pages from memory: p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms of ${sorted.length}; searches ${answers}`
      say(note)
      if ((p95 ?? 0) > MOST_MS) breaches.push(`p95 was ${p95} ms`)
      if (failed.length > 0) breaches.push(`${failed.length} failed: ${failed[0]}`)
    }
    const died = product.hasEnded() ? 1 : 0
    const fault = `${GUESTS} guests search without rest for ${SEARCH_SECONDS} s`
    return { fault, tries: recoveryMs.length, ...NONE, died, recoveryMs, note, breaches }
  })
}

export const searching: Experiment = {
  name: 'searching',
  about: `${GUESTS} guests search at once, others read`,
  tries: 1,
  seconds: 40,
  run: async (options) => [await searchOnce(options)],
}

/**
 * Sends a registration that stops halfway, from a unique address. Resolves when it was refused or the part was
 * sent.
 */
function registerHalf(port: number, address: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        `POST /api/identity/register HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${address}\r\n` +
          `content-type: multipart/form-data; boundary=b\r\ncontent-length: ${8 * MEGABYTE}\r\n\r\n` +
          '--b\r\ncontent-disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n',
      )
      socket.write(PICTURE, () => resolve(socket))
    })
    socket.once('data', () => resolve(socket))
    socket.once('error', () => resolve(socket))
    socket.once('close', () => resolve(socket))
    socket.resume()
  })
}

function registerOnce(options: ExperimentOptions): Promise<Outcome> {
  const { say } = options
  return cleaningUp(async (later) => {
    const inspectPort = await findTestPort()
    const product = await startNode({
      RATE_LIMITS: 'on',
      DEMO: '1',
      TRUST_PROXY: '1',
      NODE_OPTIONS: `--inspect=127.0.0.1:${inspectPort}`,
    })
    later(() => product.stop())
    const { pid, url, port, dataDir } = product
    const idleMemory = async () => {
      await collectGarbage(inspectPort)
      await pause(10_000)
      return memoryOf(pid)
    }
    // Warms up: renders every page and runs the form code.
    for (let visit = 0; visit < 200; visit++) await latencyOf(`${url}/`)
    ;(await registerHalf(port, '198.51.100.1')).destroy()
    const before = await idleMemory()
    const breaches: string[] = []
    const recoveryMs: number[] = []
    let note = ''
    for (const _ of turnsOf(options)) {
      let most = 0
      const addresses = Array.from({ length: GUESTS }, (_, guest) => `192.0.2.${1 + (guest % 100)}`)
      const sending = Promise.all(addresses.map((address) => registerHalf(port, address)))
      let isSent = false
      void sending.finally(() => {
        isSent = true
      })
      const watch = setInterval(() => {
        void memoryOf(pid).then((now) => {
          most = Math.max(most, now)
        })
      }, 100)
      const { sorted, failed } = await probe(url, () => isSent)
      const sockets = await sending
      await pause(1000)
      const files = await readdir(join(dataDir, 'forms'))
      for (const socket of sockets) socket.destroy()
      clearInterval(watch)
      recoveryMs.push(await latencyOf(`${url}/`))
      await pause(5000)
      const after = await idleMemory()
      const left = await readdir(join(dataDir, 'forms'))
      note = `memory ${Math.round(before)} MB before, ${Math.round(most)} MB at most, ${Math.round(after)} MB 15 s after (both idle, garbage collected); ${files.length} files during, ${left.length} after; pages meanwhile p95 ${Math.round(quantile(sorted, 0.95))} ms`
      say(note)
      if (after > before + MOST_GROWN) breaches.push(`${Math.round(after - before)} MB stayed`)
      if (left.length > 0) breaches.push(`${left.length} files stayed`)
      if (failed.length > 0) breaches.push(`${failed.length} failed: ${failed[0]}`)
    }
    const died = product.hasEnded() ? 1 : 0
    const fault = `${GUESTS} registrations of 7.9 MB stop short`
    return { fault, tries: recoveryMs.length, ...NONE, died, recoveryMs, note, breaches }
  })
}

export const halfForms: Experiment = {
  name: 'half-forms',
  about: `${GUESTS} registrations with large pictures stop short`,
  tries: 1,
  seconds: 60,
  run: async (options) => [await registerOnce(options)],
}
