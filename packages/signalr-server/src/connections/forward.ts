/** Hands a request, or an upgrade, to the node that holds its connection, and the answer back. */
import { request as openPlain, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as openByTls } from 'node:https'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { endRequest, endSocket, FrameCounter, type Pipes } from './pipes.ts'

/** A node that can't be reached by then is gone. */
const CONNECT_MS = 3000

/** Marks what was handed on, so that two nodes never play ball with it. */
export const FORWARDED = 'x-hub-forwarded'

function optionsOf(request: IncomingMessage, node: string) {
  const { hostname, port } = new URL(node)
  // That of an address of IPv6 stands in brackets.
  const host = hostname.replaceAll(/^\[|\]$/g, '')
  return {
    hostname: host,
    // The client's Host goes along, and is not the name that the certificate must have.
    servername: isIP(host) === 0 ? host : '',
    port,
    path: request.url,
    method: request.method,
    headers: { ...request.headers, [FORWARDED]: '1' },
    // A long poll is no reason to hang up, and a reused connection none to mix answers up.
    agent: false as const,
  }
}

/**
 * The request to the other node, by TLS where its address says so: its certificate must be trusted then. A host that is
 * gone says nothing, so its silence has a limit.
 */
function openThere(request: IncomingMessage, node: string) {
  const isTls = node.startsWith('https:')
  const there = (isTls ? openByTls : openPlain)(optionsOf(request, node))
  there.once('socket', (socket) => {
    if (!socket.connecting) return
    const timer = setTimeout(
      () => there.destroy(new Error('the node can not be reached')),
      CONNECT_MS,
    )
    socket.once(isTls ? 'secureConnect' : 'connect', () => clearTimeout(timer))
    there.once('close', () => clearTimeout(timer))
  })
  return there
}

/** Pipes there and back. `onFault`: the node can't be reached; nothing has been answered. */
export function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  node: string,
  pipes: Pipes,
  onFault: () => void,
): void {
  let hasLeft = false
  const there = openThere(request, node)
  there.on('response', (answer) => {
    if (hasLeft) return
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
    answer.on('error', () => {
      if (!hasLeft) response.destroy()
    })
  })
  there.on('error', () => {
    if (hasLeft) return
    if (response.headersSent) response.destroy()
    else onFault()
  })
  const done = pipes.add(() => {
    hasLeft = endRequest(response, request.method)
    if (hasLeft) there.destroy()
  })
  response.on('close', () => {
    done()
    there.destroy()
  })
  request.pipe(there)
}

/** The same for a WebSocket: after the answer both ends speak through two pipes. */
export function forwardUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  node: string,
  pipes: Pipes,
  onFault: () => void,
): void {
  const there = openThere(request, node)
  const hangUp = () => {
    there.destroy()
    socket.destroy()
  }
  there.on('upgrade', (answer, other, otherHead) => {
    socket.write(headOf(answer))
    const frames = new FrameCounter()
    other.on('data', (piece: Buffer) => frames.take(piece))
    // What came with the answer goes the same way as what follows.
    if (otherHead.length > 0) other.unshift(otherHead)
    if (head.length > 0) other.write(head)
    socket.pipe(other).pipe(socket)
    const done = pipes.add(() => {
      other.unpipe(socket)
      endSocket(socket, frames)
      // To its node this is a lost network: a client that can go on with the same connection may.
      socket.unpipe(other)
      other.destroy()
      socket.resume()
    })
    other.on('error', hangUp)
    other.on('close', () => {
      done()
      // What was written last, as our goodbye, still goes out.
      if (!socket.writableEnded) hangUp()
    })
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
