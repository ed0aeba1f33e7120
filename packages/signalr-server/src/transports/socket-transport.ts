/** WebSockets: texts for JSON, bytes for MessagePack. */
import { WebSocket } from 'ws'
import type { Connection } from '../connections/connection.ts'
import type { Limits } from '../limits.ts'
import type { Transport } from './transport.ts'

const NORMAL = 1000
const GOING_AWAY = 1001

/** Answers a goodbye without a code by the ordinary one, as clients expect. */
export class PoliteSocket extends WebSocket {
  override close(code = NORMAL, reason?: string | Buffer): void {
    super.close(code, reason)
  }
}

/** Carries a connection over a socket that is open. */
export function createSocketTransport(
  socket: WebSocket,
  connection: () => Connection,
  { closeMs }: Pick<Limits, 'closeMs'>,
): Transport {
  let error: Error | undefined
  const transport: Transport = {
    name: 'WebSockets',
    carriesBytes: true,
    write: (frame, binary) => socket.send(frame, { binary }, ignore),
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
    const wait = connection().receive(data)
    if (wait === undefined) return
    socket.pause()
    void wait.finally(() => socket.resume())
  })
  socket.on('error', (reason) => {
    error = reason
  })
  socket.on('close', (code) => {
    const graceful = code === NORMAL || code === GOING_AWAY
    connection().detach(
      transport,
      graceful,
      graceful ? undefined : (error ?? new Error(`The socket closed with ${code}.`)),
    )
  })
  return transport
}

/** What can't be sent any more is reported by the close that follows. */
function ignore(): void {
  // see above
}
