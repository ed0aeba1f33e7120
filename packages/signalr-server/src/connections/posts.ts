/** Receives a client's messages by POST, for server-sent events and long polling. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Limits } from '../limits.ts'
import type { Connection } from './connection.ts'
import { refuse, refuseBusy } from './refusals.ts'

/** Reads the POSTs of one connection in order. Few may wait, and their bodies are not read meanwhile. */
export async function receivePost(
  request: IncomingMessage,
  response: ServerResponse,
  connection: Connection,
  limits: Limits,
): Promise<void> {
  if (connection.transportName === 'WebSockets') return refuse(response, 405)
  if (connection.state !== 'attached') return refuse(response, 404)
  if (connection.turns >= limits.waitingPosts) {
    response.setHeader('connection', 'close')
    return refuseBusy(request, response, { seconds: 1 })
  }
  const status = await connection.inTurn(async () => {
    const body = await readBody(request, limits)
    if (typeof body === 'number') return body
    await connection.receive(body)
    return 200
  })
  if (status !== 200) return refuse(response, status)
  response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '0' }).end()
}

/** Returns the body, or the status of a refusal. @throws when the client aborts the request */
function readBody(
  request: IncomingMessage,
  { pieceBytes, bodyMs }: Pick<Limits, 'pieceBytes' | 'bodyMs'>,
): Promise<Buffer | 408 | 413> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let size = 0
    const settle = () => {
      clearTimeout(timer)
      request.off('data', take).off('end', finish).off('close', abort).off('error', abort).pause()
    }
    const answer = (body: Buffer | 408 | 413) => {
      settle()
      resolve(body)
    }
    const abort = () => {
      settle()
      reject(new Error('The client ended the request.'))
    }
    const take = (piece: Buffer) => {
      size += piece.length
      if (size > pieceBytes) answer(413)
      else pieces.push(piece)
    }
    const finish = () => answer(Buffer.concat(pieces))
    const timer = setTimeout(() => answer(408), bodyMs)
    // It may have ended while it was queued.
    if (request.destroyed) abort()
    else request.on('data', take).on('end', finish).on('close', abort).on('error', abort)
  })
}
