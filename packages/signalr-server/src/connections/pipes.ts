/** What this node carries between clients and other nodes, so that its clients can be sent elsewhere when it goes. */
import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

export interface Pipes {
  /** `leave` sends the client elsewhere. Call the answer when the pipe has ended by itself. */
  add(leave: () => void): () => void
  /** Sends all clients elsewhere. */
  leave(): void
}

/**
 * The requests that are being forwarded to other nodes, so that their clients can be sent elsewhere when this node
 * goes.
 */
export function createPipes(): Pipes {
  const open = new Set<() => void>()
  return {
    add: (leave) => {
      open.add(leave)
      return () => void open.delete(leave)
    },
    leave: () => {
      for (const leave of open) leave()
      open.clear()
    },
  }
}

/** Ends a poll as "the server has closed", and events where they are. Requests of other kinds end by themselves. */
export function endRequest(response: ServerResponse, method: string | undefined): boolean {
  if (method !== 'GET') return false
  if (!response.headersSent) response.writeHead(204)
  response.end()
  return true
}

/** A WebSocket close frame with 1001: going away. */
const GOING_AWAY = Buffer.from([0x88, 0x02, 0x03, 0xe9])

/** For the client's own goodbye. */
const GOODBYE_MS = 1000

/** Says goodbye to a client between two frames of the other node; within one, its socket just ends. */
export function endSocket(socket: Duplex, frames: FrameCounter): void {
  if (frames.isBetween) socket.write(GOING_AWAY)
  socket.end()
  const timer = setTimeout(() => socket.destroy(), GOODBYE_MS)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
}

/** Follows the frames of a WebSocket from a server, which are not masked, without keeping them. */
export class FrameCounter {
  /** Bytes of the present frame's content that are still to come. */
  #remaining = 0
  #head: number[] = []

  /** No frame has begun that has not ended. */
  get isBetween(): boolean {
    return this.#remaining === 0 && this.#head.length === 0
  }

  take(piece: Buffer): void {
    let at = 0
    while (at < piece.length) {
      if (this.#remaining > 0) {
        const taken = Math.min(this.#remaining, piece.length - at)
        this.#remaining -= taken
        at += taken
        continue
      }
      this.#head.push(piece[at] ?? 0)
      at += 1
      const size = sizeOf(this.#head)
      if (size === null) continue
      this.#remaining = size
      this.#head = []
    }
  }
}

/** Bytes that follow a frame's head; null when the head is not whole yet. */
function sizeOf(head: readonly number[]): number | null {
  const short = (head[1] ?? 0) & 0x7f
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0
  if (head.length < 2 + lengthBytes) return null
  if (lengthBytes === 0) return short
  return head.slice(2).reduce((size, byte) => size * 256 + byte, 0)
}
