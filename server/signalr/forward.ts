/** Hands a request, or an upgrade, to the node that holds its connection, and the answer back. */
import { request as open, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** A node that can't be reached by then is gone. */
const CONNECT_MS = 3000

/** Marks what was handed on, so that two nodes never play ball with it. */
export const FORWARDED = 'x-hub-forwarded'

function optionsOf(request: IncomingMessage, node: string) {
  const { hostname, port } = new URL(node)
  return {
    hostname,
    port,
    path: request.url,
    method: request.method,
    headers: { ...request.headers, [FORWARDED]: '1' },
    // A long poll is no reason to hang up, and a kept connection none to mix answers up.
    agent: false as const,
  }
}

/** The request to the other node. A host that is gone says nothing, so its silence has a limit. */
function openThere(request: IncomingMessage, node: string) {
  const there = open(optionsOf(request, node))
  there.once('socket', (socket) => {
    if (!socket.connecting) return
    const timer = setTimeout(
      () => there.destroy(new Error('the node can not be reached')),
      CONNECT_MS,
    )
    socket.once('connect', () => clearTimeout(timer))
    there.once('close', () => clearTimeout(timer))
  })
  return there
}

/** Pipes there and back. `onFault`: the node can't be reached; nothing has been answered. */
export function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  node: string,
  onFault: () => void,
): void {
  const there = openThere(request, node)
  there.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  there.on('error', () => {
    if (response.headersSent) response.destroy()
    else onFault()
  })
  response.on('close', () => there.destroy())
  request.pipe(there)
}

/** The same for a WebSocket: after the answer both ends speak through two pipes. */
export function forwardUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  node: string,
  onFault: () => void,
): void {
  const there = openThere(request, node)
  const hangUp = () => {
    there.destroy()
    socket.destroy()
  }
  there.on('upgrade', (answer, other, otherHead) => {
    socket.write(headOf(answer))
    if (otherHead.length > 0) socket.write(otherHead)
    if (head.length > 0) other.write(head)
    socket.pipe(other).pipe(socket)
    other.on('error', hangUp)
    other.on('close', hangUp)
  })
  there.on('response', (answer) => {
    socket.write(headOf(answer))
    answer.pipe(socket)
  })
  there.on('error', onFault)
  socket.on('error', hangUp)
  socket.on('close', hangUp)
  there.end()
}

function headOf(answer: IncomingMessage): string {
  const lines = [`HTTP/1.1 ${answer.statusCode ?? 502} ${answer.statusMessage ?? ''}`]
  for (let place = 0; place < answer.rawHeaders.length; place += 2)
    lines.push(`${answer.rawHeaders[place] ?? ''}: ${answer.rawHeaders[place + 1] ?? ''}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}
