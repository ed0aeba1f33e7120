/** Pieces of bodies, as the sockets bring them. */
import { isMarkedAsUntransferable } from 'node:worker_threads'

/** Bytes; what is smaller is not worth it. */
const SMALL = 8192

/**
 * Frees the memory of a piece that has been used up, and of all before it that came in the same buffer: the collector
 * would first let tens of megabytes of a fast body pile up, which the process then keeps. What follows in the buffer
 * may still be wanted, so only its last piece is let go.
 */
export function letGo(piece: Buffer): void {
  const { buffer, byteOffset, length } = piece
  const isLast = byteOffset + length === buffer.byteLength
  // Node's pool, which small ones share with others, is marked. Its size says nothing: it is that of a full piece.
  const isOwn = buffer.byteLength > SMALL && !isMarkedAsUntransferable(buffer)
  if (length > 0 && isLast && isOwn && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
