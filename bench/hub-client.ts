/** The clients of `npm run bench:hub`, a process of its own: a job on standard input, JSON on standard output. */
import { text } from 'node:stream/consumers'
import { WebSocket } from 'ws'

export interface HubJob {
  readonly kind: 'hub' | 'ws'
  readonly what: 'echo' | 'relay' | 'fanout' | 'connect'
  readonly port: number
  readonly connections: number
  readonly seconds: number
  /** Bytes of what is said. */
  readonly payload: number
  /** Echoes that one connection waits for at a time. */
  readonly pipeline: number
  /** Relayed messages a second; of a fan-out, how many messages. */
  readonly rate: number
}

export interface HubResult {
  readonly count: number
  readonly seconds: number
  readonly lost: number
  readonly doubled: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

const END = '\u001e'
const job = JSON.parse(await text(process.stdin)) as HubJob
const { kind, port, connections, seconds, pipeline, rate } = job
const filler = 'x'.repeat(job.payload)

async function open(): Promise<WebSocket> {
  if (kind === 'ws') return dial(`ws://127.0.0.1:${port}/`)
  const negotiated = await fetch(`http://127.0.0.1:${port}/testhub/negotiate?negotiateVersion=1`, {
    method: 'POST',
  })
  const { connectionToken } = (await negotiated.json()) as { connectionToken: string }
  const socket = await dial(`ws://127.0.0.1:${port}/testhub?id=${connectionToken}`)
  await new Promise<void>((resolve) => {
    socket.once('message', () => resolve())
    socket.send(`{"protocol":"json","version":1}${END}`)
  })
  return socket
}

function dial(url: string): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false })
    socket.once('open', () => resolve(socket))
    socket.once('error', reject)
  })
}

async function openAll(count: number): Promise<WebSocket[]> {
  const sockets: WebSocket[] = []
  // As many at once as a listening socket's queue takes.
  while (sockets.length < count)
    sockets.push(
      ...(await Promise.all(Array.from({ length: Math.min(50, count - sockets.length) }, open))),
    )
  return sockets
}

const at = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** Each connection keeps so many echoes under way. */
async function echo(): Promise<HubResult> {
  const sockets = await openAll(connections)
  let count = 0
  let running = true
  const say = (socket: WebSocket) => {
    if (kind === 'ws') socket.send(`e${filler}`)
    else
      socket.send(`{"type":1,"invocationId":"1","target":"Echo","arguments":["${filler}"]}${END}`)
  }
  for (const socket of sockets) {
    socket.on('message', (data: Buffer) => {
      // The hub may merge answers into one frame.
      const answers = kind === 'ws' ? 1 : countRecords(data)
      count += answers
      if (running) for (let answer = 0; answer < answers; answer++) say(socket)
    })
    for (let place = 0; place < pipeline; place++) say(socket)
  }
  await sleep(500)
  const from = count
  const begin = performance.now()
  await sleep(seconds * 1000)
  const passed = (performance.now() - begin) / 1000
  const done = count - from
  running = false
  await sleep(100)
  for (const socket of sockets) socket.terminate()
  return { count: done, seconds: passed, lost: 0, doubled: 0, p50: 0, p99: 0 }
}

function countRecords(data: Buffer): number {
  let records = 0
  for (const byte of data) if (byte === 0x1e) records += 1
  return records
}

/** Pairs: one says, the other hears. At a fixed rate, so that waiting is not left out of the latencies. */
async function relay(): Promise<HubResult> {
  const sockets = await openAll(connections)
  const late: number[] = []
  const heard = new Map<number, number>()
  const nameOf = (place: number) => `g${String(place).padStart(7, '0')}`
  const begin = performance.now()
  const plan = (number: number) => begin + 500 + (number * 1000) / rate
  for (const [place, socket] of sockets.entries()) {
    socket.on('message', (data: Buffer) => {
      for (const [, found] of data.toString('latin1').matchAll(/#(\d+)#/g)) {
        const number = Number(found)
        heard.set(number, (heard.get(number) ?? 0) + 1)
        late.push(performance.now() - plan(number))
      }
    })
    if (kind === 'ws') socket.send(`j${nameOf(place)}`)
    else socket.send(`{"type":1,"target":"JoinGroup","arguments":["${nameOf(place)}"]}${END}`)
  }
  const total = rate * seconds
  let sent = 0
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const now = performance.now()
      while (sent < total && plan(sent) <= now) {
        const from = sockets[sent % connections]
        const name = nameOf((sent + 1) % connections)
        const said = `#${sent}#${filler}`
        if (kind === 'ws') from?.send(`r${name}${said}`)
        else from?.send(`{"type":1,"target":"SendToGroup","arguments":["${name}","${said}"]}${END}`)
        sent += 1
      }
      if (sent < total) return
      clearInterval(timer)
      resolve()
    }, 1)
  })
  const passed = (performance.now() - begin - 500) / 1000
  const end = Date.now() + 5000
  while (heard.size < total && Date.now() < end) await sleep(20)
  const sorted = late.toSorted((one, other) => one - other)
  for (const socket of sockets) socket.terminate()
  return {
    count: heard.size,
    seconds: passed,
    lost: total - heard.size,
    doubled: late.length - heard.size,
    p50: at(sorted, 0.5),
    p99: at(sorted, 0.99),
  }
}

/** One message after another to everybody in one group; each time until the last of them has it. */
async function fanOut(): Promise<HubResult> {
  const sockets = await openAll(connections)
  const name = 'everybody'.slice(0, 8)
  let heard = 0
  let isThere = () => {}
  for (const socket of sockets) {
    socket.on('message', (data: Buffer) => {
      if (!data.includes(filler)) return
      heard += 1
      if (heard % connections === 0) isThere()
    })
    if (kind === 'ws') socket.send(`j${name}`)
    else socket.send(`{"type":1,"target":"JoinGroup","arguments":["${name}"]}${END}`)
  }
  await sleep(2000)
  const [first] = sockets
  const took: number[] = []
  for (let round = 0; round < rate; round++) {
    const begin = performance.now()
    const all = new Promise<void>((resolve) => {
      isThere = resolve
    })
    if (kind === 'ws') first?.send(`r${name}${filler}`)
    else first?.send(`{"type":1,"target":"SendToGroup","arguments":["${name}","${filler}"]}${END}`)
    await all
    took.push(performance.now() - begin)
  }
  for (const socket of sockets) socket.terminate()
  const sorted = took.toSorted((one, other) => one - other)
  const seconds = took.reduce((sum, ms) => sum + ms, 0) / 1000
  return { count: heard, seconds, lost: 0, doubled: 0, p50: at(sorted, 0.5), p99: at(sorted, 0.99) }
}

/** Opens, says so, waits for a line, closes. */
async function connect(): Promise<HubResult> {
  const begin = performance.now()
  const sockets = await openAll(connections)
  const passed = (performance.now() - begin) / 1000
  await sleep(seconds * 1000)
  for (const socket of sockets) socket.terminate()
  await sleep(200)
  return { count: sockets.length, seconds: passed, lost: 0, doubled: 0, p50: 0, p99: 0 }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const work = { echo, relay, fanout: fanOut, connect }[job.what]
process.stdout.write(JSON.stringify(await work()))
process.exit(0)
