/** Forwards a request or an upgrade to the node that holds its connection, and returns the response. */
import { request as openPlain, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as openByTls } from 'node:https'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { endRequest, endSocket, FrameCounter, type Pipes } from './pipes.ts'

/** Connect timeout in ms. */
const CONNECT_MS = 3000

/** Marks forwarded requests, so that nodes never forward them again. */
export const FORWARDED = 'x-hub-forwarded'

function optionsOf(request: IncomingMessage, node: string) {
  const { hostname, port } = new URL(node)
  // IPv6 addresses in URLs are in brackets.
  const host = hostname.replaceAll(/^\[|\]$/g, '')
  return {
    hostname: host,
    // The certificate must match the node's name instead of the client's Host header.
    servername: isIP(host) === 0 ? host : '',
    port,
    path: request.url,
    method: request.method,
    headers: { ...request.headers, [FORWARDED]: '1' },
    // Without an agent there is no timeout during a long poll, and no reused connection.
    agent: false as const,
  }
}

/**
 * Opens the request to the other node, with TLS and a verified certificate if its address uses https. Limits the
 * time to connect, because a dead host doesn't respond.
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

/** Pipes in both directions. `onFault` is called if the node can't be reached and no response was sent. */
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

/** Forwards a WebSocket. After the response, two pipes connect both ends. */
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
    // Bytes received with the response are part of the stream.
    if (otherHead.length > 0) other.unshift(otherHead)
    if (head.length > 0) other.write(head)
    socket.pipe(other).pipe(socket)
    const done = pipes.add(() => {
      other.unpipe(socket)
      endSocket(socket, frames)
      // The node must see a lost connection, so that a client with stateful reconnect can resume.
      socket.unpipe(other)
      other.destroy()
      socket.resume()
    })
    other.on('error', hangUp)
    other.on('close', () => {
      done()
      // Lets pending output such as our close frame be sent.
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
