/**
 * The server of `npm run bench:hub`, a process of its own: `hub` is the library with its test hub, `ws` a bare echo
 * and relay on the same sockets, `socket.io` and `events` (node:http) the same on theirs. Asked over its standard input
 * it collects garbage and says what it holds.
 */
import { createServer, type RequestListener, type Server } from 'node:http'
import { createInterface } from 'node:readline'
import { WebSocketServer } from 'ws'
import { startTestServer } from '#signalr/testing/test-server.ts'

const [kind] = process.argv.slice(2)

/** First byte of a frame: echo it, join the group that follows, or relay to a group of 8 letters. */
const ECHO = 0x65
const JOIN = 0x6a
const NAME = 8

/** Who hears: of a group the same bytes are written to each. */
type Hearer = (data: Buffer) => void
const groups = new Map<string, Set<Hearer>>()

/** Does what a frame says; what it returns takes the speaker out of a group that it joined. */
function obey(data: Buffer, hearer: Hearer, frame: (text: Buffer) => Buffer): (() => void) | null {
  if (data[0] === ECHO) {
    hearer(frame(data))
    return null
  }
  const name = data.toString('latin1', 1, 1 + NAME)
  if (data[0] === JOIN) {
    const group = groups.get(name) ?? new Set()
    groups.set(name, group.add(hearer))
    return () => void group.delete(hearer)
  }
  const framed = frame(data)
  for (const member of groups.get(name) ?? []) member(framed)
  return null
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    }),
  )
}

function startBare(): Promise<number> {
  const server = createServer((_request, response) => response.end())
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  sockets.on('connection', (socket) => {
    const hearer: Hearer = (data) => socket.send(data, { binary: false })
    socket.on('message', (data: Buffer) => {
      const leave = obey(data, hearer, (text) => text)
      if (leave !== null) socket.on('close', leave)
    })
  })
  return listen(server)
}

/** Events one way, posts the other, as server-sent events need them. */
function startEvents(): Promise<number> {
  const hearers = new Map<string, { hearer: Hearer; onEnd: (end: () => void) => void }>()
  const frame = (text: Buffer) => Buffer.concat([Buffer.from('data: '), text, Buffer.from('\n\n')])
  let next = 0
  const answer: RequestListener = (request, response) => {
    if (request.url === '/events') {
      const id = String(next++)
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
      response.write(`data: ${id}\n\n`)
      hearers.set(id, {
        hearer: (data) => void response.write(data),
        onEnd: (end) => response.on('close', end),
      })
      response.on('close', () => hearers.delete(id))
      return
    }
    const speaker = hearers.get(request.url?.slice('/say/'.length) ?? '')
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const leave = speaker === undefined ? null : obey(Buffer.concat(parts), speaker.hearer, frame)
      if (leave !== null) speaker?.onEnd(leave)
      response.writeHead(200, { 'content-length': '0' }).end()
    })
  }
  return listen(createServer({ noDelay: true }, answer))
}

async function startSocketIo(): Promise<number> {
  // The others' memory is not to hold it.
  const { Server: SocketIo } = await import('socket.io')
  const server = createServer()
  const io = new SocketIo(server, { transports: ['websocket'], serveClient: false })
  io.on('connection', (socket) => {
    socket.on('echo', (text: string) => socket.emit('said', text))
    socket.on('join', (group: string) => socket.join(group))
    socket.on('tell', (group: string, text: string) => io.to(group).emit('said', text))
  })
  return listen(server)
}

async function startHub(): Promise<number> {
  const { url } = await startTestServer()
  return Number(new URL(url).port)
}

const starts = { ws: startBare, events: startEvents, 'socket.io': startSocketIo, hub: startHub }
const port = await starts[(kind ?? 'hub') as keyof typeof starts]()
createInterface({ input: process.stdin }).on('line', () => {
  globalThis.gc?.()
  setTimeout(() => {
    globalThis.gc?.()
    const handles = process.getActiveResourcesInfo().length
    process.stdout.write(`held ${process.memoryUsage().heapUsed} ${handles}\n`)
  }, 500)
})
process.stdout.write(`listening ${port}\n`)
