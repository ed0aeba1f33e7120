/** WebSockets: texts for JSON, bytes for MessagePack. */
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import type { Connection } from '../connections/connection.ts'
import type { Limits } from '../limits.ts'
import type { Transport } from './transport.ts'

const NORMAL = 1000
const GOING_AWAY = 1001
const AS_BYTES = { binary: true }
const AS_TEXT = { binary: false }

/** Answers a goodbye without a code by the ordinary one, as clients expect. */
export class PoliteSocket extends WebSocket {
  override close(code = NORMAL, reason?: string | Buffer): void {
    super.close(code, reason)
  }
}

/** Carries a connection over a socket that is open. `stream`: what the socket stands on. */
export function createSocketTransport(
  socket: WebSocket,
  stream: Duplex,
  connection: Connection,
  { closeMs }: Pick<Limits, 'closeMs'>,
): Transport {
  let error: Error | undefined
  let isCorked = false
  // What can't be sent any more is reported by the close that follows.
  const written = () => connection.relieved()
  const uncork = () => {
    isCorked = false
    stream.uncork()
  }
  const transport: Transport = {
    name: 'WebSockets',
    carriesBytes: true,
    write: (frame, binary) => socket.send(frame, binary ? AS_BYTES : AS_TEXT, written),
    waiting: () => socket.bufferedAmount,
    end: () => {
      // Without a code the client would take it for an accident.
      socket.close(NORMAL)
      const timer = setTimeout(() => socket.terminate(), closeMs)
      timer.unref()
      socket.once('close', () => clearTimeout(timer))
    },
    destroy: () => socket.terminate(),
  }
  socket.on('message', (data: Buffer) => {
    // What is answered to all that came in one piece goes out in one.
    if (!isCorked) {
      isCorked = true
      stream.cork()
      setImmediate(uncork)
    }
    const wait = connection.receive(data)
    if (wait === undefined) return
    socket.pause()
    void wait.finally(() => socket.resume())
  })
  socket.on('error', (reason) => {
    error = reason
  })
  socket.on('close', (code) => {
    const graceful = code === NORMAL || code === GOING_AWAY
    connection.detach(
      transport,
      graceful,
      graceful ? undefined : (error ?? new Error(`The socket closed with ${code}.`)),
    )
  })
  return transport
}
