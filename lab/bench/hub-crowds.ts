/** What many connections at once cost a hub: one message to all of them, and all that come and go. */
import type { HubResult } from './hub-client.ts'
import { KINDS, MANY, runClients, startServer } from './hub-sides.ts'
import { cpuOf, idle } from './process.ts'
import { judged, type Section } from './table.ts'

/** One message to all, one after another; the hub must write it once for all who speak a protocol. */
export async function measureFanOut(): Promise<Section> {
  const rows: string[][] = []
  const raw: Record<string, { cpu: number; result: HubResult }> = {}
  for (const kind of KINDS) {
    const server = await startServer(kind)
    // Handshakes lie before the first message: what fifty messages more take is what counts.
    const job = { what: 'fanout', connections: MANY, rate: 5 } as const
    const cpuAfter = async (rate: number) => {
      const before = cpuOf(server.pid)
      const result = await runClients(server, kind, { ...job, rate })
      await idle(1000)
      return { cpu: cpuOf(server.pid) - before, result }
    }
    await cpuAfter(5)
    const few = await cpuAfter(5)
    const many = await cpuAfter(55)
    server.stop()
    const cpu = (many.cpu - few.cpu) / (50 * MANY)
    raw[kind] = { cpu, result: many.result }
    const { p50, p99 } = many.result
    rows.push([
      kind,
      `${p50.toFixed(0)} ms`,
      `${p99.toFixed(0)} ms`,
      `${(cpu * 1000).toFixed(1)} µs`,
    ])
  }
  const [ours, theirs] = [raw['hub'], raw['ws']]
  const ratio = (ours?.result.p50 ?? 0) / (theirs?.result.p50 ?? 1)
  return {
    title: `One message to ${MANY} connections, until the last has it`,
    columns: ['server', 'p50', 'p99', 'server CPU a connection'],
    rows,
    notes: [`The hub takes ${ratio.toFixed(2)} × bare \`ws\`; goal ≤ 1.3.`],
    raw,
  }
}

/** Connections of one turn: few enough that it ends in its time on a machine that has other work too. */
const TURN = 2000
const TENTHS = 10
/** Bytes of the heap for each connection that came and went: less is what the heap moves by itself. */
const GROWTH = 16

/** Memory after each tenth of 100,000 connections that come, shake hands and go. */
export async function measureChurn(): Promise<Section> {
  const server = await startServer('hub')
  const rows: string[][] = []
  const raw: { count: number; seconds: number; cpu: number; heap: number; handles: number }[] = []
  // The first tenth fills what is kept for good, as compiled code.
  for (let tenth = 0; tenth <= TENTHS; tenth++) {
    const before = cpuOf(server.pid)
    let seconds = 0
    let count = 0
    while (count < MANY) {
      const connections = Math.min(TURN, MANY - count)
      const turn = await runClients(server, 'hub', { what: 'connect', connections, seconds: 0 })
      seconds += turn.seconds
      count += turn.count
    }
    await idle(1000)
    const cpu = cpuOf(server.pid) - before
    const { heap, handles } = await server.hold()
    raw.push({ count, seconds, cpu, heap, handles })
    process.stderr.write(`${tenth} of ${TENTHS}: ${(heap / 1024 / 1024).toFixed(2)} MB\n`)
    if (tenth === 0) continue
    rows.push([
      String(tenth * MANY),
      `${(heap / 1024 / 1024).toFixed(2)} MB`,
      String(handles),
      (count / seconds).toFixed(0),
      `${((cpu * 1000) / count).toFixed(0)} µs`,
    ])
  }
  server.stop()
  const each = ((raw.at(-1)?.heap ?? 0) - (raw[0]?.heap ?? 0)) / (TENTHS * MANY)
  const left = (raw.at(-1)?.handles ?? 0) - (raw[0]?.handles ?? 0)
  return {
    title: `${MANY * TENTHS} connections that came and went, after ${MANY} others`,
    columns: ['connections', 'heap', 'handles', 'connects/s', 'CPU a connect'],
    rows,
    notes: [
      `The heap has ${each.toFixed(1)} bytes more for each of them, and ${left} handles are left; ${judged(`≤ ${GROWTH} bytes and 0`, each <= GROWTH && left <= 0)}.`,
    ],
    raw,
  }
}
