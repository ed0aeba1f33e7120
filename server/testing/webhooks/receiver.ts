/** A webhook receiver for tests: a real server that verifies signatures and can simulate failures. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly path: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Receiver {
  readonly port: number
  readonly url: string
  readonly received: Received[]
  /** Sends the response. Defaults to 204. */
  answer: (response: ServerResponse, received: Received) => void
  close(): Promise<void>
}

/** Starts a receiver on a free port of a local address. */
export async function startReceiver(address = '127.0.0.1', port = 0): Promise<Receiver> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { url = '', method = '', headers } = request
      const came = { path: url, method, headers, body: Buffer.concat(pieces).toString() }
      receiver.received.push(came)
      receiver.answer(response, came)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address, resolve)
  })
  const given = (server.address() as AddressInfo).port
  const receiver: Receiver = {
    port: given,
    url: `http://${address}:${given}/hook`,
    received: [],
    answer: (response) => void response.writeHead(204).end(),
    close: async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
  return receiver
}
