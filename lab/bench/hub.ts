/** `npm run bench:hub` compares the hub library with a plain `ws` server that does the same. */
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuOf, memoryOf, runJob, startServer, type Server } from '#lab/process.ts'
import { readArguments } from '#scripts/arguments.mjs'
import type { HubJob, HubResult } from './hub-client.ts'
import type { Kind } from './hub-speakers.ts'
import { spread } from './rounds.ts'
import { beginReport, judged, ranged, type Section } from './table.ts'

const HELP = `npm run bench:hub -- [options]   measures the hub library beside a bare ws server

  --only relay,connect,idle   these parts
  --quick                     shorter and rougher
`
const { values } = readArguments(HELP, {
  options: {
    only: { type: 'string', default: 'relay,connect,idle' },
    quick: { type: 'boolean', default: false },
  },
})
const { quick } = values
const ROUNDS = quick ? 2 : 5
const SECONDS = quick ? 1 : 3
const WARM_SECONDS = 3
const PAYLOAD = 100
/** The library, and what it is based on. */
const KINDS = ['hub', 'ws'] as const
const MANY = quick ? 2000 : 10_000
const CONNECTS = 5000

/** Starts a server of that kind in its own process. */
const startSide = (kind: Kind): Promise<Server> =>
  startServer('bench/hub-server.ts', [kind], ['--expose-gc'])

/** Returns the heap in bytes after a forced collection, and the number of open handles. */
async function heldBy(server: Server): Promise<{ heap: number; handles: number }> {
  const [, heap, handles] = (await server.ask('')).split(' ')
  return { heap: Number(heap), handles: Number(handles) }
}

/** Runs the clients of a server in another process. */
function runClients(server: Server, kind: Kind, job: Partial<HubJob>): Promise<HubResult> {
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
  return runJob<HubResult>('bench/hub-client.ts', whole, 180_000)
}

async function measureRelay(): Promise<Section> {
  const rows: string[][] = []
  const raw: Record<string, unknown> = {}
  for (const kind of KINDS) {
    const server = await startSide(kind)
    const job = { what: 'relay', connections: 200, rate: 10_000, seconds: quick ? 3 : 15 } as const
    const before = cpuOf(server.pid)
    const result = await runClients(server, kind, job)
    const cpu = (cpuOf(server.pid) - before) / result.count
    server.stop()
    raw[kind] = { ...result, cpu }
    rows.push([
      kind,
      (result.count / result.seconds).toFixed(0),
      `${result.p50.toFixed(1)} ms`,
      `${result.p99.toFixed(1)} ms`,
      `${(result.coldP99 ?? 0).toFixed(1)} ms`,
      `${(cpu * 1000).toFixed(0)} µs`,
      String(result.lost),
      String(result.doubled),
      kind === 'hub' ? judged('p99 ≤ 5 ms', result.p99 <= 5) : '',
    ])
  }
  return {
    title: '10,000 messages a second to groups, 200 connections, latency from the planned moment',
    columns: ['server', 'delivered/s', 'p50', 'p99', 'cold', 'CPU each', 'lost', 'doubled', 'goal'],
    rows,
    notes: [
      `Cold: p99 of the first ${WARM_SECONDS} s of both processes, which are not in the latencies before it.`,
      'At 10,000 a second one core has 100 µs for each. Where `ws` itself falls behind, the latencies tell of the machine.',
    ],
    raw,
  }
}

/** Measures PSS per idle connection, and what remains after all have closed. */
async function measureConnections(): Promise<Section> {
  const rows: string[][] = []
  const raw: Record<string, unknown> = {}
  for (const kind of KINDS) {
    const server = await startSide(kind)
    // The first connections allocate what all others share.
    await runClients(server, kind, { what: 'connect', connections: 500, seconds: 0 })
    const before = await heldBy(server)
    const empty = memoryOf(server.pid).node
    const seconds = quick ? 5 : 10
    const clients = runClients(server, kind, { what: 'connect', connections: MANY, seconds })
    let during = await heldBy(server)
    while (during.handles < before.handles + MANY) {
      await sleep(200)
      during = await heldBy(server)
    }
    const full = memoryOf(server.pid).node
    const opened = await clients
    await sleep(2000)
    const after = await heldBy(server)
    server.stop()
    const each = ((full - empty) * 1024) / MANY
    raw[kind] = { before, during, after, empty, full, opened }
    rows.push([
      kind,
      `${each.toFixed(1)} KB`,
      `${((after.heap - before.heap) / 1024).toFixed(0)} KB`,
      String(after.handles - before.handles),
      `${opened.seconds.toFixed(1)} s`,
      kind === 'hub' ? judged('≤ 8 KB', each <= 8) : '',
    ])
  }
  return {
    title: `${MANY} idle connections, and what they leave behind`,
    columns: ['server', 'memory each', 'heap left', 'handles left', 'opened in', 'goal'],
    rows,
    notes: [
      'Memory is PSS of the server process after a forced collection, less what it was before.',
    ],
    raw,
  }
}

async function measureReconnects(): Promise<Section> {
  const server = await startSide('hub')
  const seconds: number[] = []
  for (let round = -1; round < ROUNDS; round++) {
    const result = await runClients(server, 'hub', {
      what: 'connect',
      connections: 500,
      seconds: 0,
    })
    if (round >= 0) seconds.push(result.seconds)
  }
  const before = cpuOf(server.pid)
  await runClients(server, 'hub', { what: 'connect', connections: CONNECTS, seconds: 0 })
  const cpu = (cpuOf(server.pid) - before) / 1000
  server.stop()
  const found = spread(seconds)
  return {
    title: 'Full connects: negotiation, upgrade, handshake',
    columns: ['what', 'takes', 'goal'],
    rows: [
      ['500, by the clock', `${ranged(found)} s`, judged('< 5 s', found.median < 5)],
      [`${CONNECTS}, server CPU`, `${cpu.toFixed(1)} s`, judged('≤ 10 s', cpu <= 10)],
    ],
    notes: [],
    raw: { seconds, cpu },
  }
}

// Also ends the child processes.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
const report = beginReport('hub-')
const parts = { relay: measureRelay, connect: measureReconnects, idle: measureConnections }
for (const [name, measure] of Object.entries(parts))
  if (values.only.split(',').includes(name)) report.add(await measure())
await report.end({})
