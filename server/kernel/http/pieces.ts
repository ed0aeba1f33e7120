import { isMarkedAsUntransferable } from 'node:worker_threads'

/** In bytes; freeing smaller pieces isn't worth it. */
const SMALL = 8192

/**
 * Frees the memory of a used piece, and of everything before it in the same buffer: the garbage collector would
 * let tens of megabytes of a fast body pile up, which the process then keeps. Later parts of the buffer may still
 * be needed, so only its last piece is freed.
 */
export function freePiece(piece: Buffer): void {
  const { buffer, byteOffset, length } = piece
  const isLast = byteOffset + length === buffer.byteLength
  // Node's pool, which small buffers share, is marked as untransferable. Its size can't tell: it equals that of a
  // full piece.
  const isOwn = buffer.byteLength > SMALL && !isMarkedAsUntransferable(buffer)
  if (length > 0 && isLast && isOwn && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
