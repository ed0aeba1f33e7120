/** Narrows streams whose type declarations don't say that they yield bytes. */

/** @throws TypeError for anything but bytes, which would be a bug */
export async function* buffersOf(stream: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  for await (const piece of stream) {
    if (!(piece instanceof Uint8Array))
      throw new TypeError('a stream of bytes brought something else')
    yield Buffer.isBuffer(piece)
      ? piece
      : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
  }
}
