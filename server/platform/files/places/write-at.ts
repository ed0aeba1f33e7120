import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { freePiece } from '#server/kernel/http/pieces.ts'

/** Writes to a file from an offset on, which creates it if needed, flushes it, and returns its end. */
export async function writeAt(
  path: string,
  content: AsyncIterable<Buffer>,
  offset: number,
): Promise<number> {
  const handle = await open(path, constants.O_WRONLY | constants.O_CREAT)
  try {
    let position = offset
    for await (const piece of content) {
      let written = 0
      while (written < piece.length) {
        const { bytesWritten } = await handle.write(
          piece,
          written,
          piece.length - written,
          position + written,
        )
        written += bytesWritten
      }
      position += written
      freePiece(piece)
    }
    return position
  } finally {
    await handle.sync()
    await handle.close()
  }
}
