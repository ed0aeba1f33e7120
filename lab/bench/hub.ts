/**
 * `npm run bench:hub`: the hub library beside a bare `ws` server that does the same, each in a process of its own,
 * clients in another. Prints tables, writes JSON, and never fails for being slow.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readArguments } from '#scripts/arguments.mjs'
import {
  KINDS,
  MANY,
  quick,
  runClients,
  startServer,
  stopServers,
  WARM_SECONDS,
} from './hub-sides.ts'
import { describeMachine } from '#server/testing/machine.ts'
import { cpuOf, memoryOf, idle } from './process.ts'
import { spread, type Spread } from './rounds.ts'
import { formatSection, judged, ranged, type Section } from './table.ts'

const HELP = `npm run bench:hub -- [options]   measures the hub library beside a bare ws server

  --only relay,connect,idle   these parts
  --quick                     shorter and rougher
`
readArguments(HELP, {
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean' },
  },
})
const OUT = join('node_modules', '.cache', 'bench')
const textAfter = (flag: string) => process.argv[process.argv.indexOf(flag) + 1] ?? ''
const ROUNDS = quick ? 2 : 5
const CONNECTS = 5000
async function measureRelay(): Promise<Section> {
  const rows: string[][] = []
  const raw: Record<string, unknown> = {}
  for (const kind of KINDS) {
    const server = await startServer(kind)
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

/** PSS before, and while so many connections stand idle; then what is left when they have gone. */
async function measureConnections(): Promise<Section> {
  const rows: string[][] = []
  const raw: Record<string, unknown> = {}
  for (const kind of KINDS) {
    const server = await startServer(kind)
    // What the first connections make once and for all is no connection's.
    await runClients(server, kind, { what: 'connect', connections: 500, seconds: 0 })
    const before = await server.hold()
    const empty = memoryOf(server.pid).node
    const seconds = quick ? 5 : 10
    const clients = runClients(server, kind, { what: 'connect', connections: MANY, seconds })
    let during = await server.hold()
    while (during.handles < before.handles + MANY) {
      await idle(200)
      during = await server.hold()
    }
    const full = memoryOf(server.pid).node
    const opened = await clients
    await idle(2000)
    const after = await server.hold()
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
  const server = await startServer('hub')
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
  const found: Spread = spread(seconds)
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

const say = (line: string) => process.stdout.write(`${line}\n`)
const machine = describeMachine()
say(
  `Commit ${machine.commit}, ${machine.date} UTC. ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, load ${machine.load.toFixed(1)}; Node ${machine.node}.\n`,
)
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    stopServers()
    process.exit(130)
  })
const sections: Section[] = []
const everything = {
  relay: measureRelay,
  connect: measureReconnects,
  idle: measureConnections,
}
const only = process.argv.includes('--only') ? textAfter('--only').split(',') : null
for (const [name, part] of Object.entries(everything)) {
  if (only?.includes(name) === false) continue
  const section = await part()
  sections.push(section)
  say(formatSection(section))
}
await mkdir(OUT, { recursive: true })
const file = join(OUT, `hub-${machine.commit}.json`)
await writeFile(file, JSON.stringify({ machine, sections }, null, 1))
say(`Written to ${file}.`)
