/**
 * The server of `npm run bench:hub`, a process of its own: `hub` is the library with its test hub, `ws` a bare echo
 * and relay on the same sockets. Asked over its standard input it collects garbage and says what it holds.
 */
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { type WebSocket, WebSocketServer } from 'ws'
import { startTestServer } from '#signalr/testing/test-server.ts'

const [kind] = process.argv.slice(2)

/** First byte of a frame: echo it, join the group that follows, or relay to a group of 8 letters. */
const ECHO = 0x65
const JOIN = 0x6a
const NAME = 8

function startBare(): Promise<number> {
  const groups = new Map<string, Set<WebSocket>>()
  const server = createServer((_request, response) => response.end())
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  sockets.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => {
      if (data[0] === ECHO) {
        socket.send(data, { binary: false })
        return
      }
      const name = data.toString('latin1', 1, 1 + NAME)
      if (data[0] === JOIN) {
        const group = groups.get(name) ?? new Set()
        groups.set(name, group.add(socket))
        socket.on('close', () => group.delete(socket))
      } else {
        for (const member of groups.get(name) ?? []) member.send(data, { binary: false })
      }
    })
  })
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    }),
  )
}

async function startHub(): Promise<number> {
  const { url } = await startTestServer()
  return Number(new URL(url).port)
}

const port = await (kind === 'ws' ? startBare() : startHub())
createInterface({ input: process.stdin }).on('line', () => {
  globalThis.gc?.()
  setTimeout(() => {
    globalThis.gc?.()
    const handles = process.getActiveResourcesInfo().length
    process.stdout.write(`held ${process.memoryUsage().heapUsed} ${handles}\n`)
  }, 500)
})
process.stdout.write(`listening ${port}\n`)
