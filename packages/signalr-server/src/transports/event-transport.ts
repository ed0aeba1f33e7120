/** Server-sent events with one frame per event. The client sends by POST. */
import type { ServerResponse } from 'node:http'
import type { Connection } from '../connections/connection.ts'
import type { Limits } from '../limits.ts'
import { endWithin } from './end-within.ts'
import type { Transport } from './transport.ts'

const DATA = Buffer.from('data: ')
const END = Buffer.from('\r\n\r\n')

/** Responds immediately and keeps the response open. */
export function createEventTransport(
  response: ServerResponse,
  connection: Connection,
  { closeMs }: Pick<Limits, 'closeMs'>,
): Transport {
  const transport: Transport = {
    name: 'ServerSentEvents',
    supportsBinary: false,
    write: (frame) => {
      response.write(Buffer.concat([DATA, frame, END]))
    },
    bufferedBytes: () => response.writableLength,
    end: () => {
      endWithin(response, closeMs)
      response.end()
    },
    destroy: () => {
      response.destroy()
    },
  }
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-store',
    // Prevents nginx from buffering events.
    'x-accel-buffering': 'no',
  })
  // Sends a comment, because some proxies hold back headers until the body starts.
  response.write(':\r\n')
  response.on('drain', () => connection.relieved())
  response.on('close', () => connection.detach(transport, true))
  return transport
}
