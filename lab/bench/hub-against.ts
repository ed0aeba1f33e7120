/** The hub beside what people take otherwise, each doing the same work: how fast, for how much CPU and memory. */
import { createRequire } from 'node:module'
import { quick, runClients, startServer } from './hub-sides.ts'
import { EVERY_KIND, type Kind } from './hub-speakers.ts'
import { cpuOf, idle, memoryOf } from './process.ts'
import { spread } from './rounds.ts'
import type { Section } from './table.ts'

const CROWD = 1000
const IDLE = quick ? 1000 : 5000
const CONNECTS = quick ? 500 : 2000
const ROUNDS = quick ? 1 : 3
const versionOf = (name: string) =>
  (createRequire(import.meta.url)(`${name}/package.json`) as { version: string }).version

interface Found {
  readonly echo: number
  readonly echoCpu: number
  readonly fanOut: number
  readonly fanOutCpu: number
  readonly memory: number
  readonly connects: number
  readonly connectCpu: number
}

/** Middle of so many servers of a kind, which take turns: each column is measured on a server of its own. */
export async function measureAgainst(): Promise<Section> {
  const found: Record<Kind, Found[]> = { hub: [], ws: [], 'socket.io': [], events: [] }
  for (let round = 0; round < ROUNDS; round++)
    for (const kind of EVERY_KIND) found[kind].push(await measureKind(kind))
  const rows = EVERY_KIND.map((kind) => {
    const middle = (name: keyof Found, digits: number) =>
      spread(found[kind].map((each) => each[name])).median.toFixed(digits)
    return [
      kind,
      middle('echo', 0),
      `${middle('echoCpu', 1)} µs`,
      `${middle('fanOut', 1)} ms`,
      `${middle('fanOutCpu', 1)} µs`,
      `${middle('memory', 1)} KB`,
      middle('connects', 0),
      `${middle('connectCpu', 0)} µs`,
    ]
  })
  return {
    title: `The same work on each: echo on 50 connections, one message to ${CROWD}, ${IDLE} idle, ${CONNECTS} connects`,
    columns: [
      'server',
      'echoes/s',
      'CPU an echo',
      `to ${CROWD}, p50`,
      'CPU each',
      'idle',
      'connects/s',
      'CPU a connect',
    ],
    rows,
    notes: [
      `ws ${versionOf('ws')}, socket.io ${versionOf('socket.io')} over WebSockets alone, events and posts on node:http of Node ${process.versions.node}; middle of ${ROUNDS}.`,
      '`uWebSockets.js` is not on npm, where it was taken down, so it is not installed and not measured.',
      'The hub negotiates before it connects and answers a handshake, socket.io answers a packet; `ws` and events only open.',
    ],
    raw: found,
  }
}

async function measureKind(kind: Kind): Promise<Found> {
  const [echo, echoCpu] = await measured(kind, async (run) => {
    const { count, seconds } = await run({ what: 'echo' })
    return { value: count / seconds, count }
  })
  const [fanOut, fanOutCpu] = await measuredFanOut(kind)
  const [connects, connectCpu] = await measured(kind, async (run) => {
    const { count, seconds } = await run({ what: 'connect', connections: CONNECTS, seconds: 0 })
    return { value: count / seconds, count }
  })
  const memory = await idleMemory(kind)
  return { echo, echoCpu, fanOut, fanOutCpu, memory, connects, connectCpu }
}

type Run = (job: Parameters<typeof runClients>[2]) => ReturnType<typeof runClients>

/** A figure, and the microseconds of the server's CPU for each of what was counted; the first turn warms it up. */
async function measured(
  kind: Kind,
  work: (run: Run) => Promise<{ value: number; count: number }>,
): Promise<[number, number]> {
  const server = await startServer(kind)
  const run: Run = (job) => runClients(server, kind, job)
  await work(run)
  const before = cpuOf(server.pid)
  const { value, count } = await work(run)
  const cpu = ((cpuOf(server.pid) - before) * 1000) / count
  server.stop()
  return [value, cpu]
}

/** Of fifty messages more: the rest is connecting and joining. */
async function measuredFanOut(kind: Kind): Promise<[number, number]> {
  const server = await startServer(kind)
  const cpuAfter = async (rate: number) => {
    const before = cpuOf(server.pid)
    const { p50 } = await runClients(server, kind, { what: 'fanout', connections: CROWD, rate })
    await idle(500)
    return { cpu: cpuOf(server.pid) - before, p50 }
  }
  await cpuAfter(5)
  const few = await cpuAfter(5)
  const many = await cpuAfter(205)
  server.stop()
  return [many.p50, ((many.cpu - few.cpu) * 1000) / (200 * CROWD)]
}

/** KB of each of so many that say nothing. */
async function idleMemory(kind: Kind): Promise<number> {
  const server = await startServer(kind)
  // What the first connections make once and for all is no connection's.
  await runClients(server, kind, { what: 'connect', connections: 500, seconds: 0 })
  const before = await server.hold()
  const empty = memoryOf(server.pid).node
  let isOver = false
  const clients = runClients(server, kind, { what: 'connect', connections: IDLE, seconds: 6 })
  const over = clients.finally(() => {
    isOver = true
  })
  let full = 0
  let { handles } = before
  // On a busy machine the first ones may still have been going, so the count alone is no end.
  while (!isOver && handles < before.handles + IDLE) {
    await idle(200)
    handles = (await server.hold()).handles
    full = Math.max(full, memoryOf(server.pid).node)
  }
  await over
  server.stop()
  return ((full - empty) * 1024) / IDLE
}
