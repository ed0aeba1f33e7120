/**
 * Streams that this node forwards between clients and other nodes, so that shutdown can make these clients
 * reconnect elsewhere.
 */
import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

export interface Pipes {
  /**
   * `leave` makes the client reconnect elsewhere. Call the returned function when the stream has ended by itself.
   */
  add(leave: () => void): () => void
  /** Makes all clients reconnect elsewhere. */
  leave(): void
}

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

/** Ends a poll with "the server has closed", and events at the current point. Other requests end by themselves. */
export function endRequest(response: ServerResponse, method: string | undefined): boolean {
  if (method !== 'GET') return false
  if (!response.headersSent) response.writeHead(204)
  response.end()
  return true
}

/** A WebSocket close frame with code 1001 (going away). */
const GOING_AWAY = Buffer.from([0x88, 0x02, 0x03, 0xe9])

/** Timeout for the client's close frame in ms. */
const GOODBYE_MS = 1000

/** Sends a close frame between two frames of the other node. Within a frame, only closes the socket. */
export function endSocket(socket: Duplex, frames: FrameCounter): void {
  if (frames.isBetween) socket.write(GOING_AWAY)
  socket.end()
  const timer = setTimeout(() => socket.destroy(), GOODBYE_MS)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
}

/** Tracks the frame boundaries of unmasked WebSocket data without storing it. */
export class FrameCounter {
  /** Remaining payload bytes of the current frame. */
  #remaining = 0
  #head: number[] = []

  /** True at a frame boundary. */
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

/** Returns the payload size from a frame's header, or null if it is incomplete. */
function sizeOf(head: readonly number[]): number | null {
  const short = (head[1] ?? 0) & 0x7f
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0
  if (head.length < 2 + lengthBytes) return null
  if (lengthBytes === 0) return short
  return head.slice(2).reduce((size, byte) => size * 256 + byte, 0)
}
