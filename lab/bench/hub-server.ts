/**
 * A server of `npm run bench:hub`: `hub` is the library with its test hub, `ws` a plain relay on the same sockets.
 * A line on stdin makes it collect garbage and print its heap and handles.
 */
import { createServer, type Server } from 'node:http'
import { createInterface } from 'node:readline'
import { WebSocketServer } from 'ws'
import { startTestServer } from '#signalr/testing/test-server.ts'

const [kind] = process.argv.slice(2)

/** First byte of a frame that joins the named group. Any other frame is relayed to a group of 8 letters. */
const JOIN = 0x6a
const NAME = 8

type Hearer = (data: Buffer) => void
const groups = new Map<string, Set<Hearer>>()

/** Handles a frame. After a join, returns the function that leaves the group. */
function obey(data: Buffer, hearer: Hearer): (() => void) | null {
  const name = data.toString('latin1', 1, 1 + NAME)
  if (data[0] === JOIN) {
    const group = groups.get(name) ?? new Set()
    groups.set(name, group.add(hearer))
    return () => void group.delete(hearer)
  }
  for (const member of groups.get(name) ?? []) member(data)
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
      const leave = obey(data, hearer)
      if (leave !== null) socket.on('close', leave)
    })
  })
  return listen(server)
}

async function startHub(): Promise<number> {
  const { url } = await startTestServer()
  return Number(new URL(url).port)
}

const starts = { ws: startBare, hub: startHub }
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
