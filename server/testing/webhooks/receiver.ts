/** A receiver of webhooks for tests: a real server that verifies, and may be told to behave badly. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it came. */
export interface Received {
  readonly path: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Receiver {
  readonly port: number
  /** At the address it listens on. */
  readonly url: string
  readonly received: Received[]
  /** How it answers; 204 unless given. */
  answer: (response: ServerResponse, received: Received) => void
  close(): Promise<void>
}

/** Starts one on a free port of an address of this machine. */
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
