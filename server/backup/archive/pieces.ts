/** The bytes of streams whose declarations say less than they bring. */

/** The pieces of a stream of bytes. @throws TypeError for anything else, which would be a fault of ours */
export async function* buffersOf(stream: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  for await (const piece of stream) {
    if (!(piece instanceof Uint8Array))
      throw new TypeError('a stream of bytes brought something else')
    yield Buffer.isBuffer(piece)
      ? piece
      : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
  }
}
